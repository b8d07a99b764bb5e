//! `SymbolicGradient`.

use oplink::AttrMap;
use oplink_graph::{Session, SessionOptions};

use super::*;

/// Functions of a scalar: a square, a negative, and `f`, one or the other.
fn functions() -> Graph {
    let mut graph = graph();
    add_function(&mut graph, "square", |graph, x| oplink_ops::square(&mut graph.scope(), x).unwrap());
    add_function(&mut graph, "negative", |graph, x| oplink_ops::neg(&mut graph.scope(), x).unwrap());
    let (square, negative) = ("square", "negative");
    add_function(&mut graph, "f", |graph, x| {
        let zero = graph.scope().constant(Tensor::scalar(0f32)).unwrap();
        let is_positive = oplink_ops::greater(&mut graph.scope(), x, zero).unwrap();
        let attrs = vec![
            ("Tout", AttrValue::Types(vec![DType::Float])),
            ("then_branch", AttrValue::Func(named(square))),
            ("else_branch", AttrValue::Func(named(negative))),
        ];
        add(graph, None, "StatelessIf", vec![Arg::One(is_positive), Arg::List(vec![x])], attrs)[0]
    });
    graph
}

/// The gradient for `x`, weighted by `dy`.
fn gradient(mut graph: Graph, function: FuncAttr, x: f32, dy: f32) -> Result<f32> {
    let inputs = [x, dy].map(|value| graph.scope().constant(Tensor::scalar(value)).unwrap()).to_vec();
    let attrs = vec![("Tout", AttrValue::Types(vec![DType::Float])), ("f", function.into())];
    let made = add(&mut graph, None, "SymbolicGradient", vec![Arg::List(inputs)], attrs)[0];
    let name = graph.output_name(made);
    Session::new(graph, SessionOptions::default())?.run(&[], &[&name], &[])?[0].to_scalar()
}

#[test]
fn a_function_is_differentiated_and_what_it_calls() {
    assert_eq!(gradient(functions(), named("square"), 3.0, 2.0).unwrap(), 12.0);
    assert_eq!(gradient(functions(), named("f"), 3.0, 2.0).unwrap(), 12.0);
    assert_eq!(gradient(functions(), named("f"), -3.0, 2.0).unwrap(), -2.0);
}

#[test]
fn an_op_is_differentiated_as_a_function() {
    let mut attrs = AttrMap::new();
    attrs.set("T", DType::Float);
    assert_eq!(gradient(graph(), FuncAttr { name: "Tanh".to_owned(), attrs }, 0.0, 2.0).unwrap(), 2.0);
}

#[test]
fn what_has_no_gradient_is_named() {
    let error = gradient(functions(), named("nothing"), 0.0, 0.0).unwrap_err().to_string();
    assert!(error.contains("nothing"), "{error}");
    let mut graph = functions();
    add_function(&mut graph, "g", |graph, x| oplink_ops::igamma_grad_a(&mut graph.scope(), x, x).unwrap());
    let error = gradient(graph, named("g"), 0.0, 0.0).unwrap_err().to_string();
    assert!(error.contains("No gradient defined for op: IgammaGradA"), "{error}");
}
