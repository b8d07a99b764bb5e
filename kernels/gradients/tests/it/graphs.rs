//! Gradients of whole graphs: names, sums, what is left out, and what is refused.

use oplink::prelude::*;
use oplink::{Code, PartialShape};
use oplink_graph::{Graph, Node, WhileLoop};
use oplink_ops::{
    Unpack, add, assign_variable_op, digamma, floor, identity, less, mat_mul, read_variable_op, relu, square,
    var_handle_op,
};

use crate::run::{graph, values};

fn placeholder(graph: &mut Graph, name: &str, dims: &[usize]) -> Output {
    let shape: PartialShape = dims.iter().map(|&dim| Some(dim)).collect();
    graph.scope().placeholder(name, DType::Float, shape).unwrap()
}

fn names(graph: &Graph, outputs: &[Option<Output>]) -> Vec<String> {
    outputs.iter().map(|output| output.map_or("none".to_owned(), |output| graph.output_name(output))).collect()
}

/// `x · w`, its positive part, and twice that.
fn layer() -> (Graph, [Output; 2], [Output; 3]) {
    let mut graph = graph();
    let x = placeholder(&mut graph, "x", &[2, 2]);
    let w = graph.scope().constant_named("w", Tensor::from_vec([2, 2], vec![1f32, -2.0, 3.0, 4.0]).unwrap()).unwrap();
    let scope = &mut graph.scope();
    let y = mat_mul(scope, x, w).unwrap();
    let z = relu(scope, y).unwrap();
    let q = add(scope, z, z).unwrap();
    (graph, [x, w], [y, z, q])
}

#[test]
fn nodes_are_named_as_in_tensorflow() {
    let (mut graph, [x, w], [_, z, q]) = layer();
    let before = graph.nodes().len();
    let found = graph.add_gradients(None, &[q], &[x, w], None).unwrap();
    assert_eq!(names(&graph, &found), ["gradients/MatMul", "gradients/MatMul_1"]);
    let added: Vec<&str> = graph.nodes()[before..].iter().map(Node::name).collect();
    let expected = "OnesLike Identity Identity_1 Shape Shape_1 BroadcastGradientArgs Sum Reshape Sum_1 Reshape_1 AddN \
                    ReluGrad MatMul MatMul_1";
    let expected: Vec<String> = expected.split(' ').map(|name| format!("gradients/{name}")).collect();
    assert_eq!(added, expected);
    let again = graph.add_gradients(None, &[q, z], &[x, x], None).unwrap();
    assert_eq!(names(&graph, &again), ["gradients_1/MatMul", "none"]);
    let of_itself = graph.add_gradients(None, &[q, q], &[q], None).unwrap();
    assert_eq!(names(&graph, &of_itself), ["gradients_2/AddN"]);
    let mine = graph.add_gradients(Some("mine/own"), &[q], &[x], None).unwrap();
    assert_eq!(names(&graph, &mine), ["mine/own/MatMul"]);
}

#[test]
fn a_taken_or_malformed_prefix_is_refused() {
    let (mut graph, [x, _], [_, _, q]) = layer();
    graph.add_gradients(Some("mine"), &[q], &[x], None).unwrap();
    let count = graph.nodes().len();
    for (prefix, message) in
        [("mine", "named [mine/OnesLike]"), ("x", "named [x]"), ("", "cannot stand"), ("a b", "cannot stand")]
    {
        let error = graph.add_gradients(Some(prefix), &[q], &[x], None).unwrap_err();
        assert!(error.to_string().contains(message), "{prefix}: {error}");
        assert_eq!(error.code(), Code::InvalidArgument);
    }
    assert_eq!(graph.nodes().len(), count);
}

#[test]
fn values_of_a_layer() {
    let (mut graph, [x, w], [_, z, q]) = layer();
    let dy = placeholder(&mut graph, "dy", &[2, 2]);
    let dz = placeholder(&mut graph, "dz", &[2, 2]);
    let found = graph.add_gradients(None, &[q, z], &[x, w], Some(&[dy, dz])).unwrap();
    let outputs: Vec<Output> = found.into_iter().flatten().collect();
    let matrix = |values: [f32; 4]| Tensor::from_vec([2, 2], values.to_vec()).unwrap();
    let feeds = [
        ("x", matrix([1.0, 2.0, 3.0, -1.0])),
        ("dy", matrix([1.0, 2.0, 3.0, 4.0])),
        ("dz", matrix([0.5, 0.0, 0.0, 1.0])),
    ];
    let computed = values(graph, &feeds, &outputs).unwrap();
    // x w = [[7, 6], [0, -10]]: below, nothing passes. What arrives above is 2 dy + dz = [2.5, 4].
    assert_eq!(computed[0].as_slice::<f32>().unwrap(), [2.5 - 8.0, 7.5 + 16.0, 0.0, 0.0]);
    assert_eq!(computed[1].as_slice::<f32>().unwrap(), [2.5, 4.0, 5.0, 8.0]);
}

#[test]
fn outputs_that_nothing_depends_on_get_zeros_or_nothing() {
    let mut graph = graph();
    let x = placeholder(&mut graph, "x", &[2, 2]);
    let parts = Unpack::builder(2).build(&mut graph.scope(), x).unwrap();
    let y = square(&mut graph.scope(), parts[1]).unwrap();
    let found = graph.add_gradients(None, &[y], &[x, parts[0], parts[1]], None).unwrap();
    assert!(found[0].is_some() && found[1].is_none() && found[2].is_some());
    assert_eq!(graph.add_gradients(None, &[y], &[parts[0]], None).unwrap(), [None]);
    assert!(graph.add_gradients(None, &[y], &[parts[1]], None).unwrap()[0].is_some());
    let feed = Tensor::from_vec([2, 2], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
    let computed = values(graph, &[("x", feed)], &[found[0].unwrap()]).unwrap();
    assert_eq!(computed[0].as_slice::<f32>().unwrap(), [0.0, 0.0, 6.0, 8.0]);
}

#[test]
fn what_cannot_be_differentiated_is_said() {
    let (mut graph, [x, _], [y, _, q]) = layer();
    let step = floor(&mut graph.scope(), q).unwrap();
    assert_eq!(graph.add_gradients(None, &[step], &[x], None).unwrap(), [None]);
    let count = graph.nodes().len();
    let error = graph.add_gradients(None, &[y], &[q], None).unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
    assert!(error.to_string().contains("partial derivative for node 'Add' as it's unreachable"), "{error}");
    let igamma = oplink_ops::igamma_grad_a(&mut graph.scope(), q, q).unwrap();
    let error = graph.add_gradients(None, &[igamma], &[x], None).unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    assert!(error.to_string().contains("No gradient defined for op: IgammaGradA"), "{error}");
    assert_eq!(graph.nodes().len(), count + 1);
    let next = graph.add_gradients(None, &[q], &[x], None).unwrap();
    assert_eq!(names(&graph, &next), ["gradients_1/MatMul"]);
    for wrong in [Output { node: 1000, index: 0 }, Output { node: x.node, index: 7 }] {
        assert!(graph.add_gradients(None, &[wrong], &[x], None).is_err());
        assert!(graph.add_gradients(None, &[q], &[wrong], None).is_err());
        assert!(graph.add_gradients(None, &[q], &[x], Some(&[wrong])).is_err());
    }
    assert!(graph.add_gradients(None, &[q], &[x], Some(&[])).unwrap_err().to_string().contains("1 outputs need"));
}

#[test]
fn gradients_of_gradients() {
    let mut graph = graph();
    let x = placeholder(&mut graph, "x", &[3]);
    let y = digamma(&mut graph.scope(), x).unwrap();
    let first = graph.add_gradients(None, &[y], &[x], None).unwrap()[0].unwrap();
    let z = square(&mut graph.scope(), x).unwrap();
    let once = graph.add_gradients(None, &[z], &[x], None).unwrap()[0].unwrap();
    let twice = graph.add_gradients(None, &[once], &[x], None).unwrap()[0].unwrap();
    let computed = values(graph, &[("x", Tensor::from([1f32, 2.0, 3.0]))], &[twice, first]).unwrap();
    assert_eq!(computed[0].as_slice::<f32>().unwrap(), [2.0; 3]);
    let trigamma = [1.644934f32, 0.644934, 0.394934];
    assert!(computed[1].as_slice::<f32>().unwrap().iter().zip(trigamma).all(|(a, b)| (a - b).abs() < 1e-5));
}

#[test]
fn variables() {
    let mut graph = graph();
    let scope = &mut graph.scope();
    let variable = var_handle_op(scope, DType::Float, PartialShape::new(&[Some(2)])).unwrap();
    let read = read_variable_op(scope, variable, DType::Float).unwrap();
    let kept = identity(scope, read).unwrap();
    let y = square(scope, kept).unwrap();
    let set = assign_variable_op(scope, variable, Tensor::from([3f32, -1.0])).unwrap();
    let found = graph.add_gradients(None, &[y], &[variable, read], None).unwrap();
    let names: Vec<String> = found.iter().map(|output| graph.output_name(output.unwrap())).collect();
    let initializer = graph.node(set).unwrap().name().to_owned();
    let session = oplink_graph::Session::new(graph, oplink_graph::SessionOptions::default()).unwrap();
    session.run(&[], &[], &[&initializer]).unwrap();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for gradient in session.run(&[], &names, &[]).unwrap() {
        assert_eq!(gradient.as_slice::<f32>().unwrap(), [6.0, -2.0]);
    }
}

#[test]
fn loops_that_c_clients_build_are_differentiated() {
    let part = |build: fn(&mut dyn Scope, Output) -> Result<Output>| {
        let mut part = graph();
        let variable = placeholder(&mut part, "v", &[]);
        let made = build(&mut part.scope(), variable).unwrap();
        (part, variable, made)
    };
    let (cond, cond_input, cond_output) = part(|scope, v| less(scope, v, 10f32));
    let (body, body_input, body_output) = part(|scope, v| add(scope, v, v));
    let mut graph = graph();
    let x = placeholder(&mut graph, "x", &[]);
    let new = WhileLoop {
        name: "loop",
        inputs: &[x],
        cond: &cond,
        cond_inputs: &[cond_input],
        cond_output,
        body: &body,
        body_inputs: &[body_input],
        body_outputs: &[body_output],
    };
    let last = graph.add_while(&new).unwrap();
    let found = graph.add_gradients(None, &last, &[x], None).unwrap();
    // 1.5 is doubled to 12.
    let computed = values(graph, &[("x", Tensor::scalar(1.5f32))], &[last[0], found[0].unwrap()]).unwrap();
    assert_eq!(computed.iter().map(|value| value.as_slice::<f32>().unwrap()[0]).collect::<Vec<_>>(), [12.0, 8.0]);
}

/// The outputs of a node.
fn node(graph: &mut Graph, op: &'static str, inputs: &[Output], attrs: Vec<(&'static str, AttrValue)>) -> Vec<Output> {
    let inputs = inputs.iter().copied().map(oplink::call::Arg::One).collect();
    let call = oplink::call::Call { op, name: None, device: None, inputs, attrs };
    graph.scope().add(call).unwrap().values.into_vec()
}

/// Rows of `x` go through an array by each way in, and out by each way out; the gradients of both differentiations are
/// those of the sum of the squares.
#[test]
fn what_goes_through_a_tensor_array_has_its_gradient() {
    let dtype = || vec![("dtype", AttrValue::from(DType::Float))];
    for (put, take) in ["Write", "Scatter", "Split"]
        .into_iter()
        .flat_map(|put| ["Read", "Gather", "Concat"].into_iter().map(move |take| (put, take)))
    {
        let mut graph = graph();
        let x = placeholder(&mut graph, "x", &[2, 1]);
        let constant = |graph: &mut Graph, value: Tensor| graph.scope().constant(value).unwrap();
        let size = constant(&mut graph, 2i32.into());
        let made =
            node(&mut graph, "TensorArrayV3", &[size], [dtype(), vec![("clear_after_read", false.into())]].concat());
        let (handle, mut flow) = (made[0], made[1]);
        let indices = constant(&mut graph, [0i32, 1].into());
        match put {
            "Write" => {
                for at in 0..2 {
                    let at = constant(&mut graph, at.into());
                    let zero = constant(&mut graph, 0i32.into());
                    let row = node(&mut graph, "GatherV2", &[x, at, zero], Vec::new())[0];
                    flow = node(&mut graph, "TensorArrayWriteV3", &[handle, at, row, flow], Vec::new())[0];
                }
            }
            "Scatter" => flow = node(&mut graph, "TensorArrayScatterV3", &[handle, indices, x, flow], Vec::new())[0],
            _ => {
                let lengths = constant(&mut graph, [1i64, 1].into());
                flow = node(&mut graph, "TensorArraySplitV3", &[handle, x, lengths, flow], Vec::new())[0];
            }
        }
        let ys: Vec<Output> = match take {
            "Read" => (0..2)
                .map(|at| {
                    let at = constant(&mut graph, at.into());
                    node(&mut graph, "TensorArrayReadV3", &[handle, at, flow], dtype())[0]
                })
                .collect(),
            "Gather" => vec![node(&mut graph, "TensorArrayGatherV3", &[handle, indices, flow], dtype())[0]],
            _ => vec![node(&mut graph, "TensorArrayConcatV3", &[handle, flow], dtype())[0]],
        };
        let squares: Vec<Output> = ys.iter().map(|&y| square(&mut graph.scope(), y).unwrap()).collect();
        let first = graph.add_gradients(None, &squares, &[x], None).unwrap()[0].unwrap();
        let second = graph.add_gradients(None, &squares, &[x], None).unwrap()[0].unwrap();
        let input = Tensor::from_vec([2, 1], vec![3f32, -1.0]).unwrap();
        let found = values(graph, &[("x", input)], &[first, second]).unwrap();
        for gradient in found {
            assert_eq!(gradient.as_slice::<f32>().unwrap(), [6.0, -2.0], "{put}, {take}");
        }
    }
}
