//! The built-in ops by type, eagerly and in a graph.

use oplink::graph::{Graph, Session, SessionOptions};
use oplink::ops::{AddV2, Cast, ConcatV2, MatMul, Mean, Relu, add_v2, concat_v2, mat_mul, relu};
use oplink::prelude::*;

#[test]
fn eager_calls_compute_at_once() {
    assert_eq!(Relu::call([-1.0f32, 2.0]).unwrap().as_slice::<f32>().unwrap(), [0.0, 2.0]);
    assert_eq!(AddV2::call([1, 2], 10).unwrap().as_slice::<i32>().unwrap(), [11, 12]);
    let (a, b) = (Tensor::from([1i64, 2]), Tensor::from([3i64]));
    assert_eq!(ConcatV2::call(&[a, b], 0).unwrap().as_slice::<i64>().unwrap(), [1, 2, 3]);
    assert_eq!(Cast::call([1.9f32], DType::Int32).unwrap().as_slice::<i32>().unwrap(), [1]);
    let mean = Mean::builder().keep_dims(true).call([1.0f32, 3.0], [0]).unwrap();
    assert_eq!((mean.shape().dims(), mean.as_slice::<f32>().unwrap()), (&[1][..], &[2.0][..]));
}

#[test]
fn graph_functions_make_nodes() {
    let mut graph = Graph::new(Registry::global().unwrap());
    let mut scope = graph.scope();
    let x = scope.placeholder("x", DType::Float, PartialShape::new(&[None, Some(2)])).unwrap();
    let w = Tensor::from_vec([2, 1], vec![1.0f32, -1.0]).unwrap();
    let product = mat_mul(&mut scope, x, &w).unwrap();
    let positive = relu(&mut scope, product).unwrap();
    let shifted = add_v2(&mut scope, positive, 1.0f32).unwrap();
    let both = concat_v2(&mut scope, [product, shifted], 1).unwrap();
    assert_eq!(graph.shape(both).to_string(), "[?,2]");
    let name = graph.output_name(both);
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    let feed = Tensor::from_vec([2, 2], vec![3.0f32, 1.0, 1.0, 3.0]).unwrap();
    let out = session.run(&[("x", feed)], &[&name], &[]).unwrap();
    assert_eq!(out[0].as_slice::<f32>().unwrap(), [2.0, 3.0, -2.0, 1.0]);
}

#[test]
fn errors_name_op_and_reason() {
    let error =
        MatMul::call(Tensor::zeros(DType::Float, [2, 3]).unwrap(), Tensor::zeros(DType::Float, [2, 3]).unwrap());
    let text = error.unwrap_err().to_string();
    assert!(text.contains("MatMul") && text.contains("[2,3]"), "{text}");
    let error = oplink::runtime::Registry::global().unwrap().op("Reluu").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OpNotDeclared);
    assert!(error.to_string().contains("did you mean `Relu`"), "{error}");
}
