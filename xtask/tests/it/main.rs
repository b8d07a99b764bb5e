//! The house rules hold.

mod gpu_bundle;
mod targets;

use std::process::Command;

#[test]
fn tidy_finds_nothing() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("tidy").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

#[test]
fn unknown_tasks_are_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("nope").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
