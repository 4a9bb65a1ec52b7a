//! Whatever bytes come, decoding a message ends with a message or an error; a message that was
//! decoded survives being coded again.
#![no_main]

use boombots_cluster_protocol::{
    BulkReply, BulkRequest, ToCoordinator, ToWorker, decode_message, encode_message,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(message) = decode_message::<ToCoordinator>(bytes) {
        let coded = encode_message(&message).expect("as short as what it was read from");
        assert_eq!(decode_message::<ToCoordinator>(&coded[4..]).ok(), Some(message));
    }
    if let Ok(message) = decode_message::<ToWorker>(bytes) {
        let coded = encode_message(&message).expect("as short as what it was read from");
        assert_eq!(decode_message::<ToWorker>(&coded[4..]).ok(), Some(message));
    }
    let _ = decode_message::<BulkRequest>(bytes);
    let _ = decode_message::<BulkReply>(bytes);
});
