//! Attrs of nodes that stand, and functions that are made op by op.

use oplink_api::{AttrValue, DType, PartialShape};
use oplink_graph::{FunctionTrace, Graph, function_text};

use crate::session::graph;

fn attr(graph: &Graph, node: &str, name: &str) -> Option<AttrValue> {
    graph.nodes()[graph.node_named(node).unwrap() as usize].info().attrs.get(name).cloned()
}

#[test]
fn attrs_are_set_where_the_tensors_stay_what_they_are() {
    let mut graph = graph();
    let x = graph.node_named("x").unwrap();
    let shape = |dims: &[i64]| AttrValue::Shape(PartialShape::from_i64(Some(dims)).unwrap());
    graph.set_attr(x, "shape", shape(&[4])).unwrap();
    assert_eq!(graph.shape(graph.output_named("x").unwrap()), PartialShape::from_i64(Some(&[4])).unwrap());
    graph.set_attr(x, "_note", AttrValue::Int(3)).unwrap();
    assert!(graph.to_text().unwrap().contains("_note"));
    let before = graph.to_def().unwrap();
    let dtype = graph.set_attr(x, "dtype", AttrValue::Type(DType::Int32)).unwrap_err();
    assert!(dtype.to_string().contains("would be other tensors"), "{dtype}");
    assert!(graph.set_attr(x, "nope", AttrValue::Int(3)).is_err());
    assert!(graph.set_attr(x, "shape", AttrValue::Int(3)).is_err());
    assert!(graph.set_attr(4711, "shape", shape(&[])).is_err());
    assert!(graph.clear_attr(x, "dtype").is_err());
    assert_eq!(graph.to_def().unwrap(), before);
    graph.clear_attr(x, "_note").unwrap();
    graph.clear_attr(x, "shape").unwrap();
    assert_eq!(attr(&graph, "x", "_note"), None);
    assert_eq!(attr(&graph, "x", "shape"), Some(AttrValue::Shape(PartialShape::unknown())));
}

#[test]
fn a_function_is_made_of_the_calls_of_ops() {
    let mut trace = FunctionTrace::new(graph().registry(), "f");
    let x = trace.parameter(DType::Float, PartialShape::unknown()).unwrap();
    let y = trace.parameter(DType::Float, PartialShape::unknown()).unwrap();
    let sum = trace.call("AddV2", "sum", &[x, y], &[]).unwrap();
    let again = trace.call("AddV2", "sum", &[sum[0], y], &[]).unwrap();
    assert!(trace.call("NoSuchOp", "", &[x], &[]).is_err());
    assert!(trace.call("AddV2", "", &[x], &[]).is_err());
    let unused = trace.call("Neg", "", &[x], &[]).unwrap();
    assert_eq!(unused.len(), 1);
    let function = trace.finish(&[again[0], x]).unwrap();
    let text = function_text(&function);
    assert!(text.starts_with("\nf(input_0_0:float, input_1:float) -> ("), "{text}");
    assert!(text.contains("  sum_1_0 = AddV2[T=float](sum:z:0, input_1)\n"), "{text}");
    assert!(!text.contains("Neg"), "{text}");
    let named = FunctionTrace::new(graph().registry(), "").finish(&[]).unwrap_err();
    assert!(named.to_string().contains("no name"), "{named}");
}
