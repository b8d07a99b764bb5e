//! Functions in other forms than their own, and what nodes of several devices bring each other.

mod devices;
mod gradients;

use oplink::call::{Arg, Call};
use oplink::prelude::*;
use oplink::{FuncAttr, PartialShape};
use oplink_core::Registry;
use oplink_graph::{FunctionOptions, Graph};

oplink::link!(oplink_gradients, oplink_kernels_cpu);

/// A graph without nodes.
fn graph() -> Graph {
    Graph::new(Registry::global().unwrap())
}

/// Adds a function of a scalar.
fn add_function(graph: &mut Graph, name: &str, body: impl FnOnce(&mut Graph, Output) -> Output) {
    let mut inner = self::graph();
    let x = inner.scope().placeholder("x", DType::Float, PartialShape::scalar()).unwrap();
    let y = body(&mut inner, x);
    let function = inner.to_function(name, &[x], &[y], &FunctionOptions::default()).unwrap();
    graph.add_function(&function).unwrap();
}

/// A function that an attr names.
fn named(name: &str) -> FuncAttr {
    FuncAttr { name: name.to_owned(), ..FuncAttr::default() }
}

/// Adds a node on a device, or on any; its outputs.
fn add(
    graph: &mut Graph,
    device: Option<&str>,
    op: &'static str,
    inputs: Vec<Arg<Output>>,
    attrs: Vec<(&'static str, AttrValue)>,
) -> Vec<Output> {
    let inputs = inputs.into_iter().collect();
    let call = Call { op, name: None, device: None, inputs, attrs };
    let added = match device {
        Some(device) => graph.scope().with_device(device).add(call),
        None => graph.scope().add(call),
    };
    added.unwrap().values.into_vec()
}
