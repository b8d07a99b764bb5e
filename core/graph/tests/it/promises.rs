//! Kernels that contradict their op's shape function: an error of their own node, wherever it runs.

use oplink_api::call::Arg;
use oplink_api::{Code, Error, ErrorKind, Output, PartialShape, Tensor};
use oplink_graph::{FeedShapes, Graph, NewNode, PassOptions, Session, SessionOptions};

use crate::fixture::{TestDevice, def, import, registry, session};

const FLOAT: &str = r#"attr { key: "T" value { type: DT_FLOAT } }"#;

fn placeholder(name: &str, dtype: &str, shape: &str) -> String {
    format!(
        r#"node {{ name: "{name}" op: "Placeholder" attr {{ key: "dtype" value {{ type: {dtype} }} }}
                   attr {{ key: "shape" value {{ shape {{ {shape} }} }} }} }}"#
    )
}

fn node(name: &str, op: &str, inputs: &[&str], attrs: &str) -> String {
    let inputs: String = inputs.iter().map(|input| format!(r#"input: "{input}" "#)).collect();
    format!(r#"node {{ name: "{name}" op: "{op}" {inputs} {attrs} }}"#)
}

fn matrix() -> String {
    placeholder("x", "DT_FLOAT", "dim { size: 400 } dim { size: 400 }")
}

fn zeros() -> Tensor {
    Tensor::from_vec([400, 400], vec![0.0f32; 160_000]).unwrap()
}

#[track_caller]
fn check_disagrees(error: &Error, node: &str) {
    assert_eq!((error.code(), error.kind()), (Code::Internal, ErrorKind::KernelFailed), "{error}");
    let text = error.to_string();
    for part in ["`activations` the shape [3]", "[400,400]", "kernel and shape function of Selu disagree", node] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[test]
fn a_sequence_of_nodes_stops_at_the_wrong_one() {
    let nodes = matrix() + &node("bad", "Selu", &["x"], FLOAT) + &node("y", "Neg", &["bad"], FLOAT);
    let error = session(import(&nodes).unwrap()).run(&[("x", zeros())], &["y"], &[]).unwrap_err();
    check_disagrees(&error, "node `bad` (op Selu)");
}

#[test]
fn nodes_in_branches_are_checked() {
    let nodes = matrix()
        + &placeholder("p", "DT_BOOL", "")
        + &node("sw", "Switch", &["x", "p"], FLOAT)
        + &node("good", "Neg", &["sw"], FLOAT)
        + &node("bad", "Selu", &["sw:1"], FLOAT)
        + &node("y", "Merge", &["good", "bad"], &format!(r#"{FLOAT} attr {{ key: "N" value {{ i: 2 }} }}"#));
    let mut graph = import(&nodes).unwrap();
    let switch = graph.node_named("sw").unwrap();
    for index in 0..2 {
        let shape = PartialShape::new(&[Some(400), Some(400)]);
        graph.set_shape(Output { node: switch, index }, &shape).unwrap();
    }
    let bad = graph.output_named("bad").unwrap();
    graph.set_shape(bad, &PartialShape::new(&[Some(400), Some(400)])).unwrap();
    let session = session(graph);
    let run = |p: bool| session.run(&[("x", zeros()), ("p", Tensor::scalar(p))], &["y"], &[]);
    assert!(run(false).is_ok());
    check_disagrees(&run(true).unwrap_err(), "node `bad` (op Selu)");
}

#[test]
fn bodies_of_functions_are_checked() {
    let function = format!(
        r#"library {{ function {{ signature {{ name: "f" input_arg {{ name: "x" type: DT_FLOAT }}
                                               output_arg {{ name: "y" type: DT_FLOAT }} }}
                      node_def {{ name: "bad" op: "Selu" input: "x" {FLOAT} }}
                      ret {{ key: "y" value: "bad:activations:0" }} }} }}"#
    );
    let nodes = function + &matrix() + &node("call", "f", &["x"], "");
    let error = session(import(&nodes).unwrap()).run(&[("x", zeros())], &["call"], &[]).unwrap_err();
    check_disagrees(&error, "node `call/bad` (op Selu)");
    assert!(error.to_string().contains("it was inlined from function `f`"), "{error}");
}

#[test]
fn another_dtype_is_an_error_of_the_node() {
    let nodes = matrix() + &node("bad", "Elu", &["x"], FLOAT);
    let error = session(import(&nodes).unwrap()).run(&[("x", zeros())], &["bad"], &[]).unwrap_err();
    assert!(error.message().contains("int32") && error.to_string().contains("node `bad` (op Elu)"), "{error}");
}

#[test]
fn a_constant_of_a_wrong_kernel_is_not_folded() {
    let zeros = r#"node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
                   attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } } float_val: 1 } } } }"#;
    let nodes = zeros.to_owned() + &node("bad", "Selu", &["c"], FLOAT) + &node("y", "Neg", &["bad"], FLOAT);
    let error = session(import(&nodes).unwrap()).run(&[], &["y"], &[]).unwrap_err();
    assert!(error.to_string().contains("node `bad` (op Selu)"), "{error}");
}

#[test]
fn values_of_other_shapes_than_the_graph_says_may_be_fed() {
    let nodes = matrix() + &node("y", "Neg", &["x"], FLOAT);
    let graph = import(&nodes).unwrap();
    let (x, y) = (graph.output_named("x").unwrap(), graph.output_named("y").unwrap());
    let call = session(graph).prepare_outputs(&[x], &[y], &[], FeedShapes::Any).unwrap();
    assert_eq!(call.run(&[Tensor::from([1.0f32])]).unwrap()[0].as_slice::<f32>().unwrap(), [-1.0]);
}

#[test]
fn a_loop_whose_variable_changes_its_shape_is_no_error() {
    // The Merge is first made of two equal inputs, then its second one leads back from a value of another shape.
    let attrs = format!(r#"{FLOAT} attr {{ key: "N" value {{ i: 2 }} }}"#);
    let enter = format!(r#"{FLOAT} attr {{ key: "frame_name" value {{ s: "loop" }} }}"#);
    let nodes = placeholder("x", "DT_FLOAT", "dim { size: 4 }")
        + &node("enter", "Enter", &["x"], &enter)
        + &node("merge", "Merge", &["enter", "enter"], &attrs)
        + &node("in", "Neg", &["merge"], FLOAT);
    let mut graph = import(&nodes).unwrap();
    let shape = |graph: &Graph, name: &str| graph.shape(graph.output_named(name).unwrap()).to_string();
    for name in ["merge", "in"] {
        let output = graph.output_named(name).unwrap();
        graph.set_shape(output, &PartialShape::new(&[Some(4)])).unwrap();
    }
    let inputs = [Arg::One(graph.output_named("in").unwrap())];
    let new =
        NewNode { op: "NextIteration", name: "next", device: "", inputs: &inputs, control_inputs: &[], attrs: &[] };
    let next = Output { node: graph.add(new).unwrap(), index: 0 };
    // Nothing is known of the shape of the next value, so that no shape behind the Merge holds.
    graph.set_input(graph.node_named("merge").unwrap(), 1, next).unwrap();
    assert_eq!(shape(&graph, "in"), "?");
}

#[test]
fn without_passes_it_is_the_same() {
    let nodes = matrix() + &node("bad", "Selu", &["x"], FLOAT);
    let graph = Graph::import(&def(&nodes), registry()).unwrap();
    let options = SessionOptions { passes: PassOptions::none(), ..SessionOptions::default() };
    let session = Session::on_device(graph, TestDevice::new(), options).unwrap();
    check_disagrees(&session.run(&[("x", zeros())], &["bad"], &[]).unwrap_err(), "node `bad` (op Selu)");
}
