//! The command and its surroundings.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run printed, and whether it succeeded.
pub(crate) struct Run {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `oplink` with these arguments.
pub(crate) fn oplink(arguments: &[&str]) -> Run {
    oplink_in(Path::new("."), arguments)
}

/// Runs `oplink` with these arguments in a folder.
pub(crate) fn oplink_in(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oplink"));
    let output = command.args(arguments).current_dir(folder).output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("the command prints UTF-8");
    Run { success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// What a run that must succeed printed.
pub(crate) fn printed(arguments: &[&str]) -> String {
    let run = oplink(arguments);
    assert!(run.success, "oplink {}: {}{}", arguments.join(" "), run.stdout, run.stderr);
    run.stdout
}

/// A model of the repository.
pub(crate) fn model(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/models").join(path);
    path.to_str().expect("the repository's path is UTF-8").to_owned()
}

/// A file for a test to write.
pub(crate) fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A graph in text, written to a file of this name.
pub(crate) fn graph_file(name: &str, text: &str) -> String {
    let path = temporary(name);
    std::fs::write(&path, text).expect("the graph is written");
    path.to_str().expect("the target folder's path is UTF-8").to_owned()
}
