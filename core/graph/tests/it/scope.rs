//! Graphs built by calls.

use expect_test::expect;
use oplink_api::call::{Arg, Call};
use oplink_api::{AttrValue, DType, ErrorKind, Output, PartialShape, Result, Scope, Tensor};
use oplink_graph::{Graph, NewNode};
use smallvec::smallvec;

use crate::fixture::{registry, session};

/// As generated functions do it.
fn call(scope: &mut dyn Scope, op: &'static str, inputs: &[Output]) -> Result<Output> {
    let inputs = inputs.iter().map(|&input| Arg::One(input)).collect();
    scope.add(Call { op, name: None, device: None, inputs, attrs: Vec::new() })?.one(0)
}

#[test]
fn a_graph_is_built_inferred_and_run() {
    let mut graph = Graph::new(registry());
    let mut root = graph.scope();
    let x = root.placeholder("x", DType::Float, PartialShape::new(&[None, Some(2)])).unwrap();
    let mut layer = root.name_scope("layer");
    let two = layer.constant(Tensor::scalar(2.0f32)).unwrap();
    let doubled = call(&mut layer, "Mul", &[x, two]).unwrap();
    let y = call(&mut root, "Relu", &[doubled]).unwrap();
    assert_eq!(graph.shape(y).to_string(), "[?,2]");
    assert_eq!(graph.dtype(y), Some(DType::Float));
    assert_eq!(graph.output_named("layer/Mul").unwrap(), doubled);
    let fed = Tensor::from_vec([1, 2], vec![-1.0f32, 3.0]).unwrap();
    let out = session(graph).run(&[("x", fed)], &["Relu:0"], &[]).unwrap();
    assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0, 6.0]);
}

#[test]
fn devices_and_control_inputs_go_to_the_nodes() {
    let mut graph = Graph::new(registry());
    let mut root = graph.scope();
    let first = root.constant(Tensor::scalar(1.0f32)).unwrap();
    let mut after = root.with_control_inputs(&[first.node]);
    let mut there = after.with_device("/device:CPU:0");
    let second = there.constant(Tensor::scalar(2.0f32)).unwrap();
    let node = graph.node(second.node).unwrap();
    assert_eq!((node.device(), node.control_inputs()), ("/device:CPU:0", &[first.node][..]));
    let own = Call {
        op: "Relu",
        name: None,
        device: Some("GPU:1".to_owned()),
        inputs: smallvec![Arg::One(second)],
        attrs: vec![],
    };
    let own = graph.scope().with_device("/device:CPU:0").add(own).unwrap();
    assert_eq!(graph.node(own.node).unwrap().device(), "GPU:1");
    let def = graph.to_def().unwrap();
    assert_eq!(def.node[1].input, ["^Const"]);
    assert_eq!(Graph::import(&def, registry()).unwrap().to_def().unwrap(), def);
}

#[test]
fn several_outputs_and_lists() {
    let mut graph = Graph::new(registry());
    let mut root = graph.scope();
    let axis = root.constant(Tensor::scalar(0i32)).unwrap();
    let x = root.constant(Tensor::from_vec([4, 1], vec![1.0f32, 2.0, 3.0, 4.0]).unwrap()).unwrap();
    let inputs = smallvec![Arg::One(axis), Arg::One(x)];
    let split = Call { op: "Split", name: None, device: None, inputs, attrs: vec![("num_split", AttrValue::Int(2))] };
    let parts = root.add(split).unwrap().list(0).unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(graph.shape(parts[1]).to_string(), "[2,1]");
    assert_eq!(graph.output_name(parts[1]), "Split:1");
    let joined = graph
        .add_flat(
            NewNode { op: "ConcatV2", name: "joined", device: "", inputs: &[], control_inputs: &[], attrs: &[] },
            &[parts[1], parts[0], axis],
        )
        .unwrap();
    assert_eq!(graph.shape(Output { node: joined, index: 0 }).to_string(), "[4,1]");
}

#[test]
fn wrong_calls_leave_the_graph_as_it_was() {
    let mut graph = Graph::new(registry());
    let mut root = graph.scope();
    let x = root.constant(Tensor::from_vec([2, 3], vec![0.0f32; 6]).unwrap()).unwrap();
    let i = root.constant(Tensor::scalar(1i32)).unwrap();
    let mut messages = Vec::new();
    for (op, inputs) in [("MatMul", vec![x, x]), ("AddV2", vec![x, i]), ("Neg", vec![]), ("Nego", vec![x])] {
        messages.push(call(&mut root, op, &inputs).unwrap_err().to_string());
    }
    messages.push(call(&mut root, "Neg", &[Output { node: 0, index: 1 }]).unwrap_err().to_string());
    messages.push(call(&mut root, "Neg", &[Output { node: 9, index: 0 }]).unwrap_err().to_string());
    let malformed = root.constant_named("a b", Tensor::scalar(1.0f32)).unwrap_err();
    assert_eq!(malformed.kind(), ErrorKind::InvalidGraph);
    messages.push(malformed.to_string());
    assert_eq!(graph.nodes().len(), 2);
    expect![[r#"
        matrix size-incompatible: [2,3] and [2,3] have the inner extents 3 and 2, which must be equal
          input 0: float [2,3]
          input 1: float [2,3]
          node `MatMul` (op MatMul)
        input `y` of op AddV2 makes attr `T` int32, but it is float from input `x`
          node `AddV2` (op AddV2)
        op Neg takes 1 inputs (x), 0 are given
          node `Neg` (op Neg)
        op `Nego` is not declared: none of the 1908 ops of this process; did you mean `Neg`? (if a dependency declares it, name that crate with `oplink::link!(the_crate);`)
          node `Nego` (op Nego)
        node `Const` (op Const) has 1 output, there is no `Const:1`
          node `Neg_1` (op Neg)
        the graph has no node at position 9
          node `Neg_2` (op Neg)
        `a b` is no name for a node: it must start with a letter, digit or `.`, and go on with those, `_`, `-`, `/`
          node `a b` (op Const)"#]]
    .assert_eq(&messages.join("\n"));
}
