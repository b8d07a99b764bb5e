//! What the environment says to a process: which interface, and where compiled programs are kept.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A test of this binary that launches a program.
const LAUNCHES: &str = "programs::launches_follow_each_other";

/// Runs a test in a process of its own; what it says, and whether it passes.
pub(crate) fn run(test: &str, variable: &str, value: &Path) -> (bool, String) {
    let own = std::env::current_exe().expect("the path of this binary");
    let output = Command::new(own).args(["--exact", test, "--nocapture"]).env(variable, value).output();
    let output = output.expect("a process");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn the_environment_chooses_the_interface() {
    assert!(run(LAUNCHES, "OPLINK_GPU", Path::new("vulkan")).0);
    let (passed, text) = run(LAUNCHES, "OPLINK_GPU", Path::new("off"));
    assert!(!passed && text.contains("no GPU was found"), "{text}");
    let (passed, text) = run(LAUNCHES, "OPLINK_GPU", Path::new("opencl"));
    assert!(!passed && text.contains("OPLINK_GPU=opencl names no interface to GPUs that this build has"), "{text}");
}

#[test]
fn no_driver_is_no_device() {
    let (passed, text) = run(LAUNCHES, "VK_ICD_FILENAMES", Path::new("/nowhere.json"));
    assert!(!passed && text.contains("no GPU was found"), "{text}");
}

#[test]
fn pipelines_are_kept_on_disk() {
    let folder = std::env::temp_dir().join(format!("oplink-gpu-cache-{}", std::process::id()));
    let kept = folder.join("vulkan");
    let (passed, text) = run(LAUNCHES, "OPLINK_CACHE_DIR", &folder);
    assert!(passed, "{text}");
    let files: Vec<_> = fs::read_dir(&kept).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    assert!(!files.is_empty());
    for damage in [&b"damaged"[..], b""] {
        files.iter().for_each(|file| fs::write(file, damage).expect("writable"));
        let (passed, text) = run(LAUNCHES, "OPLINK_CACHE_DIR", &folder);
        assert!(passed, "{text}");
    }
    assert!(files.iter().all(|file| fs::read(file).expect("readable").len() > 100));
    // A file is no folder.
    let (passed, text) = run(LAUNCHES, "OPLINK_CACHE_DIR", &files[0]);
    assert!(passed, "{text}");
    fs::remove_dir_all(folder).expect("removable");
}
