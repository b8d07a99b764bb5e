//! `oplink ops`, `oplink kernels`, `oplink graph`.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use expect_test::expect;

use crate::command::{graph_file, model, oplink, printed};

#[test]
fn one_op() {
    let text = printed(&["ops", "Relu"]);
    // Built with the whole workspace, the command has the kernels of GPUs too.
    let lines = text.lines().filter(|line| !line.contains(" GPU T="));
    // Lines of sources change with every edit above them.
    let lines: Vec<&str> = lines.map(|line| line.split(".rs:").next().unwrap_or(line)).collect();
    expect![[r"
        op Relu
        input features: T
        output activations: T
        attr T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}

        declared at kernels/ops/src/nn/activation

        The larger of 0 and each feature.

        Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
        zero stays negative zero.

        gradient: declared at kernels/gradients/src/nn/activation

        kernels:
        Relu                             CPU T={bfloat16, double, float, half, int16, int32, int64, int8, uint16, uint32, uint64, uint8}  kernels/elementwise/src/activations"]].assert_eq(&lines.join("\n"));
}

#[test]
fn an_op_tells_its_gradient() {
    let gradient = |op| {
        let text = printed(&["ops", op]);
        text.lines().find_map(|line| line.strip_prefix("gradient: ")).unwrap().to_owned()
    };
    assert!(gradient("Floor").starts_with("none: "));
    assert!(gradient("While").starts_with("that of the functions"));
    assert!(gradient("Enter").starts_with("that of the loop"));
    assert!(gradient("SparseSparseMaximum").starts_with("missing: "));
}

#[test]
fn kernels_of_one_op() {
    let text = printed(&["kernels", "MatMul"]);
    assert!(text.starts_with("MatMul ") && text.contains(" CPU T={") && text.contains("float"), "{text}");
    assert!(text.lines().all(|line| line.starts_with("MatMul ")), "{text}");
}

#[test]
fn all_ops_and_all_kernels() {
    let ops = printed(&["ops"]);
    let names: Vec<&str> = ops.lines().map(|line| line.split(' ').next().unwrap_or(line)).collect();
    assert!(names.is_sorted() && names.len() > 90 && names.contains(&"Conv2D"), "{ops}");
    let kernels = printed(&["kernels"]);
    assert!(kernels.lines().count() >= names.len(), "{kernels}");
}

/// More than a pipe holds is printed, of which one line is read.
#[test]
fn whoever_reads_a_line_and_goes_is_no_error() {
    for arguments in
        [&["ops"][..], &["kernels"], &["select", &model("digits/digits.pb")], &["graph", &model("digits/digits.pb")]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_oplink"));
        let mut child =
            command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let read = BufReader::with_capacity(1, child.stdout.take().expect("a pipe")).read_line(&mut line);
        assert!(read.is_ok() && !line.is_empty(), "{arguments:?}");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let output = Command::new(env!("CARGO_BIN_EXE_oplink")).arg("ops").stdout(full).output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && told.starts_with("error: standard output: No space left"), "{told}");
}

#[test]
fn a_graph_that_this_build_runs() {
    let text = printed(&["graph", &model("digits/digits.pb")]);
    assert!(text.contains("54 nodes, 0 functions"), "{text}");
    assert!(text.contains("inputs:\n  image: uint8 [?,28,28,1]\n"), "{text}");
    assert!(text.contains("     2 Conv2D\n") && text.ends_with("every node has a kernel\n"), "{text}");
}

#[test]
fn a_graph_with_an_op_that_nobody_declares() {
    let graph = graph_file("unknown_op.pbtxt", r#"node { name: "a" op: "Frobnicate" } node { name: "b" op: "NoOp" }"#);
    let run = oplink(&["graph", &graph]);
    assert!(!run.success, "{}", run.stdout);
    let lacks = "ops this build lacks:\n  Frobnicate (1 node): `a`\nhelp: ops of a plugin are there when it is loaded: --plugin FILE\n";
    assert!(run.stdout.contains(lacks), "{}", run.stdout);
}
