//! Running `boombots-tablebase` as its users do.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// What a command printed.
pub(crate) struct Ran {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The command with a folder of tables.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boombots-tablebase"));
    command.arg("--dir").arg(folder).stdin(Stdio::null()).env_remove("BOOMBOTS_SIMD");
    command
}

pub(crate) fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        success: output.status.success(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Ran {
    ran(command(folder).args(arguments).output().unwrap())
}

/// Runs a command that must succeed, and returns its standard output.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn output(folder: &Path, arguments: &[&str]) -> String {
    let ran = run(folder, arguments);
    assert!(ran.success, "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// Runs a command that must fail with one sentence, and returns that.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn error(folder: &Path, arguments: &[&str]) -> String {
    let ran = run(folder, arguments);
    assert!(!ran.success, "{arguments:?} succeeded: {}", ran.stdout);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    assert!(ran.stderr.lines().count() <= 2, "more than a sentence: {}", ran.stderr);
    ran.stderr
}

/// A folder with the tables of 2v2 and all beneath it, built once for all tests of a file.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn tables_2v2() -> &'static Path {
    static FOLDER: LazyLock<(tempfile::TempDir, PathBuf)> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables");
        output(&path, &["build", "2v2"]);
        (folder, path)
    });
    &FOLDER.1
}

/// A copy of a folder of tables, to be spoiled.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn copy_of(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in folder.read_dir().unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    copy
}
