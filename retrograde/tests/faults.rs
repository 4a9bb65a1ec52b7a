//! Damaged files, full disks, killed builds.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{command, copy_of, error, output, ran, tables_2v2};
use proptest::prelude::*;

const FILES: [&str; 7] = [
    "1v1.wdl.bbtb",
    "1v1.dtm.bbtb",
    "2v1.wdl.bbtb",
    "2v1.dtm.bbtb",
    "2v2.wdl.bbtb",
    "2v2.dtm.bbtb",
    "manifest.json",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_changed_byte_fails_verification_by_name(
        file in prop::sample::select(&FILES[..]),
        at in any::<prop::sample::Index>(),
        change in 1..=255_u8,
    ) {
        let folder = copy_of(tables_2v2());
        let path = folder.path().join(file);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        std::fs::write(&path, &bytes).unwrap();

        let output = command(folder.path()).arg("verify").output().unwrap();
        let ran = ran(output);
        prop_assert!(!ran.success, "{} byte {} passed", file, at);
        prop_assert!(ran.stderr.contains(file), "{}", ran.stderr);
        let header = if file == "manifest.json" { bytes.len() } else { data_start(&bytes, file) };
        if at >= header {
            prop_assert!(ran.stderr.contains("block "), "byte {}: {}", at, ran.stderr);
        }
    }
}

/// Where a file's blocks start: after its header, a header for each side and 16 bytes a block.
fn data_start(bytes: &[u8], file: &str) -> usize {
    let sides = if file.starts_with("2v1") { 2 } else { 1 };
    let field = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    // The changed byte may be in the fields themselves; any answer is right then.
    let blocks: usize = (0..sides).map(|side| field(32 + 64 * side + 16).min(1000)).sum();
    32 + 64 * sides + 16 * blocks
}

#[test]
fn damaged_tables_are_left_out_and_the_rest_answers() {
    let position = "8/8/8/8/8/1a6/8/A2A4 w";
    type Damage = fn(&mut Vec<u8>);
    let cases: [(&str, Damage, &str); 5] = [
        ("cut off", |bytes| bytes.truncate(bytes.len() / 2), "cut off"),
        ("empty", Vec::clear, "0 bytes"),
        ("foreign", |bytes| bytes[..8].copy_from_slice(b"notatabl"), "not a Boombots table"),
        ("newer", |bytes| bytes[8] = 9, "newer program"),
        ("longer", |bytes| bytes.push(0), "added to"),
    ];
    for (what, damage, part) in cases {
        let folder = copy_of(tables_2v2());
        let path = folder.path().join("2v2.wdl.bbtb");
        let mut bytes = std::fs::read(&path).unwrap();
        damage(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();

        let answer = ran(command(folder.path()).args(["probe", position]).output().unwrap());
        assert!(answer.success, "{what}: {}", answer.stderr);
        assert!(answer.stderr.contains("2v2.wdl.bbtb"), "{what}: {}", answer.stderr);
        assert!(answer.stderr.contains(part), "{what}: {}", answer.stderr);
        let failed = error(folder.path(), &["stats", "2v2"]);
        assert!(failed.contains("2v2.wdl.bbtb") && failed.contains(part), "{what}: {failed}");
        // Building again puts it right.
        output(folder.path(), &["build", "2v2"]);
        assert!(
            std::fs::read(&path).unwrap()
                == std::fs::read(tables_2v2().join("2v2.wdl.bbtb")).unwrap()
        );
    }
}

#[test]
fn damaged_raw_files_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    output(tables_2v2(), &["generate", "2v1", path("raw").to_str().unwrap()]);
    let whole = std::fs::read(path("raw")).unwrap();
    type Damage = fn(&mut Vec<u8>);
    let cases: [(Damage, &str); 6] = [
        (Vec::clear, "too few"),
        (|bytes| bytes.truncate(1000), "cut off"),
        (|bytes| bytes[0] = b'X', "not a raw file"),
        (|bytes| bytes[8] = 7, "version"),
        (|bytes| bytes[12] = 6, "header"),
        (|bytes| bytes[5000] ^= 1, "checksum"),
    ];
    for (damage, part) in cases {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        std::fs::write(path("bad"), &bytes).unwrap();
        let (bad, out) = (path("bad"), path("out.bbtb"));
        let failed =
            error(folder.path(), &["compress", bad.to_str().unwrap(), out.to_str().unwrap()]);
        assert!(failed.contains(part), "{part}: {failed}");
        assert!(!out.exists());
    }
    let folder_itself = path("").to_str().unwrap().to_owned();
    error(folder.path(), &["compress", &folder_itself, "out.bbtb"]);
    error(folder.path(), &["compress", "missing.raw", "out.bbtb"]);
}

#[test]
fn an_unwritable_folder_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let failed = error(&file.join("tables"), &["build", "2v1"]);
    assert!(failed.contains("cannot write to the table folder"), "{failed}");

    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = std::fs::write(closed.join("probe"), "").is_ok();
    if is_root {
        println!("skipped: a privileged user may write anywhere");
    } else {
        error(&closed, &["build", "2v1"]);
    }
}

/// A build under a limit on the size of files fails as on a full disk, without privileges.
#[test]
fn a_file_that_cannot_grow_is_an_error_and_is_not_left_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "trap '' XFSZ; ulimit -f 200; exec '{}' --dir '{}' build 3v1",
        env!("CARGO_BIN_EXE_boombots-tablebase"),
        folder.path().display()
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let failed = ran(output);
    assert!(!failed.success, "{}", failed.stdout);
    assert!(failed.stderr.contains("3v1.dtm.bbtb"), "{}", failed.stderr);
    assert!(failed.stderr.contains("too large"), "{}", failed.stderr);
    assert_no_leftovers(folder.path());
    assert!(!folder.path().join("3v1.dtm.bbtb").exists());
    // With room again, the build goes on where it was.
    let resumed = common::output(folder.path(), &["build", "3v1"]);
    assert!(resumed.contains("2v1: already built"), "{resumed}");
    common::output(folder.path(), &["verify"]);
}

#[test]
fn a_full_disk_is_an_error_and_is_not_left_half_written() {
    let folder = tempfile::tempdir().unwrap();
    // A mount of its own needs a namespace of its own, and that needs privileges.
    let script = format!(
        "mount -t tmpfs -o size=8m tmpfs '{dir}' || exit 77
         '{exe}' --dir '{dir}' build 3v2; code=$?
         ls -A '{dir}' >&2
         [ $code -ne 0 ] && '{exe}' --dir '{dir}' verify 3v1 2v2 && exit 33",
        exe = env!("CARGO_BIN_EXE_boombots-tablebase"),
        dir = folder.path().display()
    );
    let ran = Command::new("unshare").args(["--mount", "bash", "-c", &script]).output();
    let ran = match ran {
        Ok(output) if output.status.code() != Some(1) && output.status.code() != Some(77) => output,
        _ => {
            println!("skipped: mounting a small disk needs privileges");
            return;
        }
    };
    let code = ran.status.code();
    let stderr = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(code, Some(33), "{stderr}");
    assert!(stderr.contains("3v2.dtm.bbtb") && stderr.contains("No space left"), "{stderr}");
    assert!(!stderr.lines().any(|line| line.ends_with(".tmp")), "{stderr}");
    assert!(!stderr.lines().any(|line| line == "3v2.dtm.bbtb"), "{stderr}");
}

#[test]
fn a_killed_build_resumes_with_the_class_it_was_at() {
    let (folder, reference) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    output(reference.path(), &["build", "3v2"]);
    let mut child = command(folder.path())
        .args(["build", "3v2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Killed while 3v2 is under way: 3v1 is there and 3v2 is not yet.
    while !folder.path().join("3v1.dtm.bbtb").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the build ended before it could be killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.path().join("3v2.dtm.bbtb").exists());
    // What a kill in the middle of writing leaves behind.
    std::fs::write(folder.path().join(".boombots-1a2b3c.tmp"), [0; 100]).unwrap();

    let resumed = output(folder.path(), &["build", "3v2"]);
    assert!(resumed.contains("2v2: already built"), "{resumed}");
    assert!(resumed.contains("3v2: solved"), "{resumed}");
    assert_no_leftovers(folder.path());
    for entry in reference.path().read_dir().unwrap() {
        let name = entry.unwrap().file_name();
        let read = |folder: &Path| std::fs::read(folder.join(&name)).unwrap();
        assert!(read(folder.path()) == read(reference.path()), "{name:?}");
    }
}

#[test]
fn two_builds_in_one_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let held = std::fs::File::create(folder.path().join(".lock")).unwrap();
    held.lock().unwrap();
    let failed = error(folder.path(), &["build", "2v1"]);
    assert!(failed.contains("another process is building"), "{failed}");
    drop(held);
    output(folder.path(), &["build", "2v1"]);
}

fn assert_no_leftovers(folder: &Path) {
    for entry in folder.read_dir().unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!name.to_string_lossy().ends_with(".tmp"), "{name:?} was left behind");
    }
}
