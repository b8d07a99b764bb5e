//! What the environment says to a process: which interface, and where compiled programs are kept.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use oplink::Tensor;
use oplink::device::copy_to_host_blocking;
use oplink_core::{devices, host_device};

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

#[test(Vulkan)]
fn the_environment_chooses_the_interface() {
    assert!(run(LAUNCHES, "OPLINK_GPU", Path::new("vulkan")).0);
    let (passed, text) = run(LAUNCHES, "OPLINK_GPU", Path::new("off"));
    assert!(!passed && text.contains("no GPU was found"), "{text}");
    let (passed, text) = run(LAUNCHES, "OPLINK_GPU", Path::new("opencl"));
    assert!(!passed && text.contains("OPLINK_GPU=opencl names no interface to GPUs that this build has"), "{text}");
}

/// Set for the process in which nothing else opens a GPU.
const ALONE: &str = "OPLINK_TEST_ALONE";

/// The threads of this process that hand out what GPUs send to the host: each GPU that is open has one.
fn open_gpus() -> usize {
    let tasks = fs::read_dir("/proc/self/task").expect("Linux tells of threads").flatten();
    let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks.map(name).filter(|name| name.trim() == "copies to host").count()
}

#[test(Vulkan)]
fn a_gpu_is_opened_when_something_is_done_with_it() {
    if std::env::var_os(ALONE).is_none() {
        let (passed, text) = run("process::a_gpu_is_opened_when_something_is_done_with_it", ALONE, Path::new("1"));
        assert!(passed, "{text}");
        return;
    }
    // The host is found without asking for GPUs at all.
    let start = Instant::now();
    assert_eq!(host_device().expect("the host").device_type(), "CPU");
    let host = start.elapsed();
    let listed = devices().expect("the devices");
    let all = start.elapsed();
    let device = listed.iter().find(|device| device.device_type() == "GPU").expect("a GPU");
    let attributes = device.attributes();
    assert!(attributes.memory_limit > 0 && attributes.description.contains("by "), "{attributes:?}");
    assert_eq!(device.memory_statistics().limit, Some(attributes.memory_limit as usize));
    device.release_unused_memory();
    let context = device.context().expect("a device with memory of its own");
    assert_eq!(context.device(), attributes.name);
    context.synchronize().expect("nothing was done");
    assert_eq!(open_gpus(), 0);

    let start = Instant::now();
    let there = context.copy_to_device(&Tensor::scalar(1.0_f32)).expect("a copy");
    eprintln!(
        "the host is there after {host:?}, all devices after {all:?}, the first copy after {:?}",
        start.elapsed()
    );
    assert_eq!(device.memory_statistics().allocations, 1);
    assert_eq!(copy_to_host_blocking(&**context, &there).expect("a copy").to_scalar::<f32>().expect("a float"), 1.0);
    // The thread has its name when it has handed something out.
    assert_eq!(open_gpus(), 1);
}

#[test(Vulkan)]
fn no_driver_is_no_device() {
    let (passed, text) = run(LAUNCHES, "VK_ICD_FILENAMES", Path::new("/nowhere.json"));
    assert!(!passed && text.contains("no GPU was found"), "{text}");
}

#[test(Vulkan)]
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
