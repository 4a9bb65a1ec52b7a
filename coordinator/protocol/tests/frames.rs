//! Decoding of frames: bounded, whatever comes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use boombots_cluster_protocol::{
    BulkRequest, ExactValue, Finish, FrameError, JobId, JobOutcome, JobResult, MAX_FRAME, Preamble,
    ShardId, ToCoordinator, ToWorker, VERSION, decode_message, encode_message, read_frame,
};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<ToWorker, FrameError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut bytes = bytes;
        read_frame(&mut bytes).await
    })
}

#[test]
fn a_frame_survives() {
    let id = ShardId { attempt: 3, shard: 7 };
    let message = ToWorker::Finish(Finish { id, epoch: 2, steps: 40 });
    assert_eq!(read(&encode_message(&message).unwrap()).unwrap(), message);
}

#[test]
fn the_bytes_of_version_3_stay_as_they_are() {
    let id = ShardId { attempt: 3, shard: 7 };
    let message = ToWorker::Finish(Finish { id, epoch: 2, steps: 40 });
    assert_eq!(encode_message(&message).unwrap(), [5, 0, 0, 0, 4, 3, 7, 2, 40]);
    let message = ToCoordinator::BoomsSettled { id, epoch: 300 };
    assert_eq!(encode_message(&message).unwrap(), [5, 0, 0, 0, 2, 3, 7, 172, 2]);
    let message = ToWorker::StopJob { id: JobId(1 << 7), epoch: 1 };
    assert_eq!(encode_message(&message).unwrap(), [4, 0, 0, 0, 11, 128, 1, 1]);
    let message = ToCoordinator::JobDone(JobResult {
        id: JobId(5),
        epoch: 1,
        outcome: JobOutcome::Exact(ExactValue::Loss(12)),
        nodes: 3,
        micros: 4,
        idle_micros: 6,
    });
    assert_eq!(encode_message(&message).unwrap(), [9, 0, 0, 0, 10, 5, 1, 0, 2, 12, 3, 4, 6]);
}

#[test]
fn a_frame_past_the_limit_is_refused_before_it_is_read() {
    let mut bytes = (MAX_FRAME as u32 + 1).to_le_bytes().to_vec();
    assert!(matches!(read(&bytes), Err(FrameError::Oversize { .. })));
    bytes.truncate(2);
    assert!(matches!(read(&bytes), Err(FrameError::Closed)));
    assert!(matches!(read(&[1, 0, 0, 0]), Err(FrameError::Io(_))));
}

#[test]
fn other_versions_say_which_side_to_upgrade() {
    assert!(Preamble { version: VERSION }.check().is_ok());
    let newer = Preamble { version: VERSION + 1 }.check().unwrap_err().to_string();
    assert!(newer.ends_with("upgrade this one"), "{newer}");
    let older = Preamble { version: VERSION - 1 }.check().unwrap_err().to_string();
    assert!(older.ends_with("upgrade the other end"), "{older}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(message) = decode_message::<ToCoordinator>(&bytes) {
            let coded = encode_message(&message).unwrap();
            prop_assert_eq!(decode_message::<ToCoordinator>(&coded[4..]).unwrap(), message);
        }
        if let Ok(message) = decode_message::<ToWorker>(&bytes) {
            let coded = encode_message(&message).unwrap();
            prop_assert_eq!(decode_message::<ToWorker>(&coded[4..]).unwrap(), message);
        }
        let _ = decode_message::<BulkRequest>(&bytes);
    }
}
