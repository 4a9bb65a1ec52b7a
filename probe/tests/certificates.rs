//! Certificates: those that hold, and that no other does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use boombots_probe::{Certificate, CertificateError, Claim, ProofStep, Tables, TablesOptions};
use boombots_rules::Position;

/// A folder without tables: all of a proof has to be in the certificate.
fn no_tables() -> (tempfile::TempDir, Tables) {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tables::open(folder.path(), TablesOptions::default()).unwrap();
    (folder, tables)
}

/// White threatens the corner pair from two sides; whatever Black plays, a boom ends the game.
fn forced() -> (Position, Vec<ProofStep>) {
    let position: Position = "7a/8/6A1/8/8/8/8/A7 w".parse().unwrap();
    let first = ProofStep::new(&position, 3, "1g6g7".parse().unwrap());
    let next = position.play("1g6g7".parse().unwrap()).unwrap();
    let mut steps = vec![first];
    for &action in &*next.legal_actions() {
        let reply = next.play(action).unwrap();
        if !reply.is_over() {
            let step = ProofStep::new(&reply, 1, "xg7".parse().unwrap());
            // Two replies are one but for a symmetry.
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
    }
    (position, steps)
}

#[test]
fn a_proof_is_written_read_and_checked() {
    let (_folder, tables) = no_tables();
    let (position, steps) = forced();
    let certificate = Certificate::build(&position, Claim::Win(3), steps, &tables).unwrap();
    let read = Certificate::read(certificate.write().as_bytes()).unwrap();
    assert_eq!(read, certificate);
    read.check(&tables).unwrap();
}

#[test]
fn a_change_of_any_byte_is_refused() {
    let (_folder, tables) = no_tables();
    let (position, steps) = forced();
    let text = Certificate::build(&position, Claim::Win(3), steps, &tables).unwrap().write();
    for at in 0..text.len() {
        for change in [1_u8, 0x20, 0x80] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= change;
            assert!(Certificate::read(&bytes).is_err(), "byte {at} changed by {change}");
        }
    }
    for end in 0..text.len() {
        assert!(Certificate::read(&text.as_bytes()[..end]).is_err(), "cut at {end}");
    }
    assert!(matches!(Certificate::read((text + "\n").as_bytes()), Err(CertificateError::Digest)));
}

#[test]
fn claims_that_do_not_follow_are_refused() {
    let (_folder, tables) = no_tables();
    let (position, steps) = forced();
    let holds = |claim, steps: &[ProofStep]| {
        Certificate { position, claim, steps: steps.to_vec() }.check(&tables).is_ok()
    };
    let mut sorted = steps.clone();
    sorted.sort_by_key(|step| step.plies);
    assert!(holds(Claim::Win(3), &sorted));
    assert!(holds(Claim::Win(9), &sorted));
    assert!(!holds(Claim::Win(2), &sorted), "sooner than proved");
    assert!(!holds(Claim::Loss(3), &sorted));
    assert!(!holds(Claim::Draw, &sorted));
    assert!(!holds(Claim::Win(3), &steps), "out of order");
    assert!(!holds(Claim::Win(3), &sorted[1..]), "a step is missing");
    let mut twice = sorted.clone();
    twice.insert(0, sorted[0]);
    assert!(!holds(Claim::Win(3), &twice), "a step occurs twice");
    let mut hasty = sorted.clone();
    hasty.last_mut().unwrap().plies = 2;
    assert!(!holds(Claim::Win(3), &hasty), "a step that rests on itself in time");
}
