//! Wrong input ends in one clear message and a failure, never in a panic.

use crate::command::{graph_file, model, oplink, printed, temporary};

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
    for feed in ["image", "=x.npy"] {
        assert_fails(&["run", &digits, "--feed", feed], &[&format!("--feed {feed}"), "name=file.npy"]);
    }
    let folder = temporary("floats").to_str().expect("UTF-8").to_owned();
    printed(&["run", &digits, "--feed", &feed, "--fetch", "Cast", "--save", &folder]);
    let file = format!("{folder}/Cast.npy");
    let parts = ["Cast.npy holds float, `image` takes uint8", "array.astype(\"uint8\")"];
    assert_fails(&["run", &digits, "--feed", &format!("image={file}")], &parts);
    assert_fails(&["run", &digits, "--feed", &format!("imag={picture}")], &["imag"]);
    assert_fails(&["run", &digits, "--feed", &feed, "--fetch", "lable"], &["lable"]);
    assert_fails(&["run", &digits, "--feed", &feed, "--fetch", "label:7"], &["label"]);
    assert_fails(&["run", &digits, "--fetch", "label"], &["image", "must be fed", "not fed: --feed image=FILE.npy"]);
    assert_fails(
        &["run", &digits, "--feed", &format!("truediv/y={picture}"), "--fetch", "label"],
        &["does not fit", "shape []"],
    );
}

#[test]
fn ops_that_nobody_declares() {
    for command in ["ops", "kernels"] {
        let parts = ["this build has no op `Rellu`; did you mean `Relu`?", "`oplink ops` lists", "--plugin FILE"];
        assert_fails(&[command, "Rellu"], &parts);
    }
    let graph = graph_file("unknown.pbtxt", r#"node { name: "a" op: "Frobnicate" }"#);
    assert_fails(&["run", &graph], &["Frobnicate", "`a`"]);
    assert_fails(&["select", &graph], &["Frobnicate"]);
    let node =
        |number| format!("node {{ name: 'n{number}' op: 'Frobnicate' }} node {{ name: 'r{number}' op: 'Rellu' }}\n");
    let graph = graph_file("many_unknown.pbtxt", &(0..60).map(node).collect::<String>());
    for command in ["run", "select"] {
        let told = oplink(&[command, &graph]).stderr;
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].ends_with("many_unknown.pbtxt needs 2 ops that this build lacks:"), "{told}");
        let expected = [
            "  Frobnicate (60 nodes): such as `n0` and `n1`",
            "  Rellu (60 nodes): such as `r0` and `r1`; did you mean `Relu`?",
            "help: ops of a plugin are there when it is loaded: --plugin FILE",
        ];
        assert_eq!(lines[1..], expected, "oplink {command}");
    }
}

#[test]
fn nodes_of_one_reason_are_told_together() {
    let attr = "attr { key: 'T' value { type: DT_QINT8 } }";
    let x = "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_QINT8 } } }".to_owned();
    let relu = |number| format!("node {{ name: 'y{number}' op: 'Relu' input: 'x' {attr} }}");
    let graph = graph_file("no_kernel.pbtxt", &(x + &(0..30).map(relu).collect::<String>()));
    let told = oplink(&["select", &graph]).stderr;
    assert!(told.starts_with("error: 30 nodes of the graph cannot run:\n- op `Relu` has no kernel for"), "{told}");
    assert!(told.contains("\n  as well: node `y1` (op Relu)") && told.contains(", and 28 more nodes"), "{told}");
    assert!(told.lines().count() < 12, "{told}");
}

#[test]
fn graphs_of_nothing() {
    let empty = graph_file("empty.pb", "");
    let comment = graph_file("comment.pbtxt", "# nothing\n");
    for command in ["run", "graph", "select"] {
        assert_fails(&[command, &empty], &["empty.pb is empty"]);
        assert_fails(&[command, &comment], &["comment.pbtxt has no nodes"]);
    }
}

#[test]
fn numbers_that_mean_nothing() {
    let digits = model("digits/digits.pb");
    for (option, value, part) in [
        ("--threads", "-1", "invalid value '-1' for '--threads"),
        ("--repeat", "0", "a graph is run at least once"),
        ("--repeat", "often", "invalid value 'often' for '--repeat"),
    ] {
        assert_fails(&["run", &digits, option, value], &[part]);
    }
}
