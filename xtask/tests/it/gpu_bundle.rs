//! The script of the bundle for GPUs, with programs that fail, crash and hang: its report is complete all the same.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Copies a program by another process. A descriptor that this one has open for writing may be inherited by the child of
/// another test for a moment, and a file that is open for writing cannot be executed (`ETXTBSY`).
fn copied(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success(), "cp {} {}", from.display(), to.display());
}

/// A folder of a test's own, gone with it.
struct Bundle(PathBuf);

impl Drop for Bundle {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Bundle {
    /// A bundle whose programs are these scripts, for machines with this glibc.
    fn new(name: &str, glibc: &str, programs: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("oplink-bundle-{name}-{}", std::process::id()));
        let bundle = Self(folder.clone());
        fs::create_dir_all(folder.join("programs")).unwrap();
        fs::create_dir_all(folder.join("sources/tests/models/digits")).unwrap();
        fs::write(folder.join("sources/tests/models/digits/digits.pb"), "").unwrap();
        fs::write(folder.join("about"), format!("version=1\ncommit=abc\nglibc={glibc}\n")).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/gpu/bundle/run");
        copied(&script, &folder.join("run"));
        for (name, text) in programs {
            let (written, program) = (folder.join(format!("{name}.sh")), folder.join("programs").join(name));
            fs::write(&written, format!("#!/bin/sh\n{text}\n")).unwrap();
            fs::set_permissions(&written, fs::Permissions::from_mode(0o755)).unwrap();
            copied(&written, &program);
        }
        bundle
    }

    fn run(&self, arguments: &[&str]) -> (Output, String) {
        let mut command = Command::new(self.0.join("run"));
        command.args(arguments).env_remove("OPLINK_BUNDLE_OUT");
        command.envs([("OPLINK_BUNDLE_MOST", "2"), ("OPLINK_BUNDLE_SEARCH", "/nowhere")]);
        let output = command.output().unwrap();
        let report = fs::read_to_string(self.0.join("report.md")).unwrap_or_default();
        (output, report)
    }
}

#[test]
fn parts_that_fail_crash_and_hang_are_told_and_the_rest_goes_on() {
    let programs = [
        ("cuda", "echo \"| $* | fast |\""),
        ("device", "echo something is wrong; exit 3"),
        ("kernels", "kill -SEGV $$"),
        ("hosts", "echo all is well"),
        ("suite", "echo before; trap '' TERM; while true; do sleep 1; done"),
    ];
    let bundle = Bundle::new("faults", "2.2", &programs);
    let (output, report) = bundle.run(&[]);
    assert_eq!(output.status.code(), Some(1), "{report}");
    for part in [
        "| gpu | passed |",
        "| device | FAILED (status 3) |",
        "something is wrong",
        "| kernels | CRASHED (SEGV) |",
        "| suite | TIME IS OVER |",
        "before",
        "| digits | could not be started |",
        "mobilenetv2 is not in this bundle",
        "| launches | fast |",
        "| launches | passed |",
        "7 of 11 parts passed",
    ] {
        assert!(report.contains(part), "no `{part}` in:\n{report}");
    }
    assert_eq!(String::from_utf8_lossy(&output.stdout), report);
}

#[test]
fn named_parts_run_alone_and_others_are_refused() {
    let bundle = Bundle::new("named", "2.2", &[("cuda", "echo \"| $* | fast |\"")]);
    let (output, report) = bundle.run(&["--small", "copies"]);
    assert!(output.status.success(), "{report}");
    assert!(report.contains("| --small copies | fast |") && report.contains("2 of 2 parts passed"), "{report}");
    let (output, _) = bundle.run(&["coppies"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no part coppies; there are: gpu device"));
}

#[test]
fn a_machine_that_lacks_something_is_told_what() {
    let absent = "echo 'no CUDA device was found'; exit 1";
    let (output, report) = Bundle::new("absent", "2.2", &[("cuda", absent)]).run(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(report.contains("no CUDA device was found") && report.contains("0 of 1 parts passed"), "{report}");
    let (output, report) = Bundle::new("old", "9.1", &[]).run(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(report.contains("the bundle needs 9.1") && report.contains("C library is older"), "{report}");
}
