//! Wrong input ends in one clear message and a failure, never in a panic.

use crate::command::{graph_file, model, oplink};

/// Runs a command that must fail with all of `parts` in its message.
fn assert_fails(arguments: &[&str], parts: &[&str]) {
    let run = oplink(arguments);
    let call = arguments.join(" ");
    assert!(!run.success, "oplink {call} succeeded: {}", run.stdout);
    assert!(run.stderr.starts_with("error: ") && !run.stderr.contains("panicked"), "oplink {call}: {}", run.stderr);
    for part in parts {
        assert!(run.stderr.contains(part), "oplink {call}: no `{part}` in: {}", run.stderr);
    }
}

#[test]
fn files_that_are_not_there() {
    for command in ["run", "graph", "select"] {
        assert_fails(&[command, "nowhere.pb"], &["nowhere.pb", "No such file"]);
    }
    let digits = model("digits/digits.pb");
    assert_fails(&["run", &digits, "--feed", "image=nowhere.npy"], &["nowhere.npy", "No such file"]);
    assert_fails(&["run", &digits, "--npz", "nowhere.npz"], &["nowhere.npz", "No such file"]);
}

#[test]
fn files_of_another_format() {
    let text = graph_file("not_a_graph.pbtxt", "node { name: }");
    assert_fails(&["graph", &text], &["not_a_graph.pbtxt"]);
    assert_fails(&["run", &model("digits/digit-0.png")], &["digit-0.png"]);
    let digits = model("digits/digits.pb");
    assert_fails(&["run", &digits, "--npz", &model("digits/digits_test.npz")], &["in:<tensor>"]);
    assert_fails(&["run", &digits, "--feed", &format!("image={digits}")], &["digits.pb", ".npy or a .png"]);
}

#[test]
fn feeds_and_fetches_that_do_not_fit() {
    let (digits, picture) = (model("digits/digits.pb"), model("digits/digit-0.png"));
    let feed = format!("image={picture}");
    assert_fails(&["run", &digits, "--feed", "image"], &["--feed image", "name=file.npy"]);
    assert_fails(&["run", &digits, "--feed", &format!("imag={picture}")], &["imag"]);
    assert_fails(&["run", &digits, "--feed", &feed, "--fetch", "lable"], &["lable"]);
    assert_fails(&["run", &digits, "--feed", &feed, "--fetch", "label:7"], &["label"]);
    assert_fails(&["run", &digits, "--fetch", "label"], &["image", "must be fed"]);
    assert_fails(
        &["run", &digits, "--feed", &format!("truediv/y={picture}"), "--fetch", "label"],
        &["does not fit", "shape []"],
    );
}

#[test]
fn ops_that_nobody_declares() {
    assert_fails(&["ops", "Rellu"], &["Rellu", "Relu"]);
    assert_fails(&["kernels", "Rellu"], &["Rellu"]);
    let graph = graph_file("unknown.pbtxt", r#"node { name: "a" op: "Frobnicate" }"#);
    assert_fails(&["run", &graph], &["Frobnicate", "`a`"]);
    assert_fails(&["select", &graph], &["Frobnicate"]);
}
