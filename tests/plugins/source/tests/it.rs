//! Plugins: the example's source built into a program, and built as a library that stock TensorFlow loads.
//!
//! The libraries are built where `OPLINK_SLOW` is set, and loaded into the TensorFlow of `OPLINK_TENSORFLOW_VENV`.

#[macro_use(test)]
extern crate oplink_test_harness;

#[path = "../../gradient_steps.rs"]
mod gradient_steps;

use std::path::{Path, PathBuf};
use std::process::Command;

use oplink_tests_plugin_source::{EXAMPLE_OPS, OplinkAffine, OplinkJoin};
use runtime::call::Arg;
use runtime::graph::{Graph, NewNode, Session, SessionOptions};
use runtime::prelude::*;

use gradient_steps::{GRADIENT_STEPS, gradient_steps};

/// Bytes that a plugin of two ops stays under.
const LIMIT: u64 = 1_000_000;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path)
}

/// Names the runtime, so that it is linked.
fn graph() -> Graph {
    Graph::new(Registry::global().unwrap())
}

#[test]
fn the_source_of_a_plugin_runs_in_a_program() {
    assert!(graph().nodes().is_empty());
    assert_eq!((EXAMPLE_OPS.ops.len(), EXAMPLE_OPS.kernels.len()), (2, 2));
    let y = OplinkAffine::builder().scale(2.0).shift(1).call([1f32, 2.0]).unwrap();
    assert_eq!(y.as_slice::<f32>().unwrap(), [3.0, 5.0]);
    let clipped = OplinkAffine::builder().mode("clip").bounds(&[0.0, 1.0]).call([-1f64, 0.5, 7.0]).unwrap();
    assert_eq!(clipped.as_slice::<f64>().unwrap(), [0.0, 0.5, 1.0]);
    let joined = OplinkJoin::builder().separator("-").call([&Tensor::from("a"), &Tensor::from("b")]).unwrap();
    assert_eq!(joined.to_scalar::<TString>().unwrap(), TString::from("a-b"));
}

#[test]
fn its_errors_are_those_of_the_runtime() {
    let error = OplinkAffine::builder().mode("clip").call([1f32]).unwrap_err();
    assert!(error.to_string().contains("mode 'clip' needs 2 bounds, there are 0"), "{error}");
    assert!(error.to_string().contains("OplinkAffine"), "{error}");
    let unequal = OplinkJoin::call([&Tensor::from([TString::from("a")]), &Tensor::from("b")]).unwrap_err();
    assert!(unequal.to_string().contains("shapes [1] and [] must be equal"), "{unequal}");
}

#[test]
fn its_gradient_and_a_training_step_run_in_a_program() {
    assert_eq!(EXAMPLE_OPS.gradients.len(), 1);
    assert_eq!(gradient_steps("OplinkAffine").unwrap(), GRADIENT_STEPS);
}

/// Builds a plugin.
fn build(folder: &str, library: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins");
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--release", "--locked"]).current_dir(repository(folder));
    run(command.env("CARGO_TARGET_DIR", &target).env_remove("RUSTFLAGS").env_remove("OPLINK_SELECTION"));
    target.join("release").join(library)
}

/// Runs a command that must succeed; returns what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Runs a script of `tests/plugins` on a plugin.
fn in_tensorflow(script: &str, plugin: &Path) {
    let venv = std::env::var_os("OPLINK_TENSORFLOW_VENV").expect("a test that needs `Tensorflow`");
    let python = Path::new(&venv).join("bin/python");
    let report = run(Command::new(python).arg(repository("tests/plugins").join(script)).arg(plugin));
    print!("{report}");
    assert!(!report.contains("FAILED"), "{report}");
}

#[test(Slow, Tensorflow)]
fn a_plugin_is_small_and_runs_in_tensorflow() {
    let plugin = build("examples/plugins/rust", "libexample_plugin.so");
    let bytes = std::fs::metadata(&plugin).unwrap().len();
    println!("{bytes} bytes");
    assert!(bytes < LIMIT, "{bytes} bytes");
    let undefined = run(Command::new("nm").args(["-D", "--undefined-only"]).arg(&plugin));
    let hosts: Vec<_> = undefined.lines().filter(|line| line.contains("TF_") || line.contains("SE_")).collect();
    assert!(hosts.is_empty(), "functions of the host are looked up, not linked: {hosts:?}");
    let defined = run(Command::new("nm").args(["-D", "--defined-only"]).arg(&plugin));
    let mut names: Vec<_> = defined.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    names.sort_unstable();
    assert_eq!(names, ["TF_InitKernel", "oplink_plugin_gradients", "oplink_plugin_info"]);
    in_tensorflow("in_tensorflow.py", &plugin);
}

#[test(Slow, Tensorflow)]
fn kernels_of_every_form_run_in_tensorflow() {
    let plugin = build("tests/plugins/forms", "libforms_plugin.so");
    in_tensorflow("forms_in_tensorflow.py", &plugin);
}

oplink_test_harness::main!();
