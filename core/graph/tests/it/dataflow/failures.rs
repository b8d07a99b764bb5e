//! Nodes that fail within loops, branches and on other threads: the error names the node, the session stays usable.

use oplink_api::{DType, ErrorKind, PartialShape, Tensor};
use oplink_graph::Graph;

use super::text::{LoopOptions, Text, attr_type, run};
use crate::fixture::registry;

/// Counts from `from` down to 0 and then lets `op` have the number below.
fn failing_loop(op: &str, parallel_iterations: i64) -> (Text, String) {
    let mut text = Text::default();
    let (from, limit) = (text.placeholder("from"), text.placeholder("limit"));
    let inside = text.begin_loop(&[&limit, &from], LoopOptions { parallel_iterations }, |text, inside| {
        let ten = text.constant("ten", 10, &[&inside.pivot]);
        text.node("less", "Less", &[&inside.values[0], &ten], "")
    });
    let next = text.count_on(&inside);
    let one = text.constant("one", 1, &[&inside.pivot]);
    let below = text.node("below", "Sub", &[&inside.values[1], &one], "");
    text.node("checked", op, &[&below], "");
    let exits = text.end_loop(&inside, &[&next, "checked"]);
    (text, exits[1].clone())
}

#[test]
fn in_a_loop() {
    for (op, kind, message) in
        [("Abs", ErrorKind::KernelFailed, "-1 is negative"), ("Sign", ErrorKind::KernelPanicked, "-1 went wrong")]
    {
        for parallel in [1, 10] {
            let (text, fetch) = failing_loop(op, parallel);
            let session = text.session();
            for _ in 0..3 {
                let error = run(&session, &[("from", 4), ("limit", 0)], &[&fetch]).unwrap_err();
                assert_eq!(error.kind(), kind);
                let shown = error.to_string();
                assert!(shown.contains(message) && shown.contains("node `checked`"), "{shown}");
                assert_eq!(run(&session, &[("from", 11), ("limit", 0)], &[&fetch]).unwrap(), [1]);
            }
        }
    }
}

#[test]
fn wrong_feeds() {
    let (text, fetch) = failing_loop("Abs", 10);
    let session = text.session();
    let feeds = [("from", Tensor::scalar(1.0f32)), ("limit", Tensor::scalar(0i32))];
    let error = session.run(&feeds, &[&fetch], &[]).unwrap_err();
    assert!(error.to_string().contains("`from` is of int32, the value fed is of float"), "{error}");
    let call = session.prepare(&["from", "limit"], &[&fetch], &[]).unwrap();
    assert!(call.run(&[]).unwrap_err().to_string().contains("0 values are fed, 2 are needed"));
    assert_eq!(run(&session, &[("from", 11), ("limit", 0)], &[&fetch]).unwrap(), [1]);
}

/// A failed run leaves what the caller gave alone.
#[test]
fn fetched_values_are_as_before() {
    let (text, fetch) = failing_loop("Abs", 10);
    let session = text.session();
    let call = session.prepare(&["from", "limit"], &["from", &fetch], &[]).unwrap();
    let mut fetched = vec![Tensor::scalar(5i32)];
    for from in [4, 11] {
        let result = call.run_into([from, 0].map(Tensor::scalar::<i32>), &mut fetched);
        assert_eq!((result.is_ok(), fetched.len()), if from == 4 { (false, 1) } else { (true, 3) });
    }
}

/// An asynchronous kernel that panics where it starts.
#[test]
fn where_an_asynchronous_kernel_starts() {
    let mut graph = Graph::new(registry());
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[])).unwrap();
    let new = oplink_graph::NewNode { op: "Tan", name: "y", device: "", inputs: &[], control_inputs: &[], attrs: &[] };
    graph.add_flat(new, &[x]).unwrap();
    let session = crate::fixture::session(graph);
    for _ in 0..2 {
        let error = session.run(&[("x", Tensor::scalar(1.0f32))], &["y"], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::KernelPanicked);
        let shown = error.to_string();
        assert!(
            shown.contains("did not even start") && shown.contains("node `y`") && shown.contains("float []"),
            "{shown}"
        );
    }
}

/// Of several errors the first stands, and the others stop for it.
#[test]
fn others_stop() {
    let mut text = Text::default();
    let float = attr_type("T", "DT_FLOAT");
    text.node("x", "Placeholder", &[], &attr_type("dtype", "DT_FLOAT"));
    // Waits until the step is cancelled.
    text.node("waits", "Log", &["x"], &float);
    text.placeholder("n");
    text.node("fails", "Abs", &["n"], "");
    let session = text.session();
    let feeds = [("x", Tensor::scalar(1.0f32)), ("n", Tensor::scalar(-7i32))];
    for _ in 0..3 {
        let error = session.run(&feeds, &["waits", "fails"], &[]).unwrap_err();
        assert!(error.to_string().contains("-7 is negative"), "{error}");
    }
}
