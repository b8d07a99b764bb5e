//! Inferred dtypes and shapes against those that TensorFlow infers (see `goldens/make_shapes.py`).

use std::fmt::Write as _;

use oplink_api::Output;
use oplink_graph::Graph;

use crate::fixture::{digits, read, registry};

/// One line an output, as the goldens have them.
fn shapes(graph: &Graph) -> String {
    let mut text = String::new();
    for (position, node) in graph.nodes().iter().enumerate() {
        for (index, shape) in node.output_shapes().iter().enumerate() {
            let dtype = graph.dtype(Output { node: position as u32, index: index as u32 }).unwrap();
            let _ = writeln!(text, "{}:{index} {dtype} {shape}", node.name());
        }
    }
    text
}

/// The graph's lines are those of the golden, in any order: `TensorFlow` lists ops in another one.
#[track_caller]
fn check(graph: Vec<u8>, golden: &str) {
    let graph = Graph::from_bytes(graph, registry()).unwrap();
    let golden = String::from_utf8(read(&format!("core/graph/tests/it/goldens/{golden}"))).unwrap();
    let ours = shapes(&graph);
    let (mut ours, mut theirs): (Vec<_>, Vec<_>) = (ours.lines().collect(), golden.lines().collect());
    ours.sort_unstable();
    theirs.sort_unstable();
    assert_eq!(ours.len(), theirs.len());
    let differing: Vec<_> = ours.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs).collect();
    assert!(differing.is_empty(), "(ours, TensorFlow's): {differing:#?}");
}

#[test]
fn every_shape_of_digits_is_tensorflows() {
    check(digits(), "digits.shapes");
}

#[test]
fn shapes_computed_from_shapes_and_constants_are_tensorflows() {
    check(read("core/graph/tests/it/goldens/shape_arithmetic.pb"), "shape_arithmetic.shapes");
}
