//! `oplink run --device`.

use crate::command::{model, oplink, printed, temporary};

/// The arguments of a run of the digits' graph on a device, which writes down where its nodes ran.
fn on(device: &str, further: &[&str]) -> Vec<String> {
    let feed = format!("image={}", model("digits/digit-4.png"));
    let trace = trace(device).to_str().expect("UTF-8").to_owned();
    let graph = model("digits/digits.pb");
    let arguments = ["run", &graph, "--feed", &feed, "--fetch", "label", "--device", device, "--trace", &trace];
    arguments.iter().chain(further).map(|&argument| argument.to_owned()).collect()
}

fn trace(device: &str) -> std::path::PathBuf {
    temporary(&format!("device{}.json", device.replace(['/', ':'], "_")))
}

/// How many nodes ran on a device that has this in its name.
fn nodes_on(traced: &str, name: &str) -> usize {
    let written = std::fs::read_to_string(trace(traced)).expect("the trace is there");
    written.lines().filter(|line| line.contains(r#""device":""#) && line.contains(name)).count()
}

fn strs(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// The simulated accelerator, beside the tests.
fn sim() -> String {
    let tests = std::env::current_exe().expect("the path of this binary");
    let library = tests.with_file_name("liboplink_device_sim.so");
    assert!(library.exists(), "{}: what the tests are built with is not there", library.display());
    library.to_str().expect("the target folder's path is UTF-8").to_owned()
}

#[test]
fn a_device_that_every_build_has_runs_the_graph() {
    for device in ["CPU", "/device:cpu:0", "/job:localhost/replica:0/task:0/device:CPU:0"] {
        let text = printed(&strs(&on(device, &[])));
        assert!(text.contains("label  int64[1] [4]"), "{device}: {text}");
        assert!(nodes_on(device, "device:CPU:0") > 5, "{device}");
    }
}

#[test]
fn a_plugins_device_runs_what_it_has_kernels_for_and_the_host_the_rest() {
    let sim = sim();
    let text = printed(&strs(&on("SIM:1", &["--plugin", &sim])));
    assert!(text.contains("label  int64[1] [4]"), "{text}");
    assert!(nodes_on("SIM:1", "device:SIM:1") > 5);
    assert_eq!(nodes_on("SIM:1", "device:SIM:0"), 0);
}

#[cfg(feature = "gpu")]
#[test(Gpu)]
fn a_gpu_runs_what_it_has_kernels_for_and_the_host_the_rest() {
    let text = printed(&strs(&on("GPU", &[])));
    assert!(text.contains("label  int64[1] [4]"), "{text}");
    assert!(nodes_on("GPU", "device:GPU:0") > 5);
}

#[test]
fn a_device_that_is_not_there_is_an_error_that_lists_those_there_are() {
    let run = oplink(&strs(&on("TPU:7", &["--plugin", &sim()])));
    assert!(!run.success);
    for part in ["no device is called TPU:7; there are: ", "device:SIM:0", "device:SIM:1", "device:CPU:0"] {
        assert!(run.stderr.contains(part), "{part:?} is not in: {}", run.stderr);
    }
    #[cfg(not(feature = "gpu"))]
    {
        let run = oplink(&strs(&on("GPU", &[])));
        assert!(!run.success && run.stderr.contains("cargo install oplink-cli --features gpu"), "{}", run.stderr);
    }
    let run = oplink(&strs(&on("CPU:zero", &[])));
    assert!(!run.success && run.stderr.contains("`CPU:zero` is no device name"), "{}", run.stderr);
}
