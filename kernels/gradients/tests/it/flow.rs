//! Gradients through functions, conditions, loops and lists of graphs that TensorFlow wrote, against its own
//! (`../oracle/flow.txt`): also with shapes that only a run tells, and twice.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use oplink::call::{Arg, Call};
use oplink::prelude::*;
use oplink::{FuncAttr, PartialShape};
use oplink_core::Registry;
use oplink_graph::{FunctionOptions, Graph};

use crate::case::{Tolerance, compare, tensor, texts};
use crate::run::{graph, values};

const CASES: &str = include_str!("../oracle/flow.txt");
const TOLERANCE: Tolerance = Tolerance { epsilons: 64.0, each: false };

/// A line of the table.
struct Case<'a> {
    name: &'a str,
    feeds: Vec<(&'a str, Tensor)>,
    y: &'a str,
    xs: Vec<&'a str>,
    dy: Tensor,
    gradients: Vec<Option<Tensor>>,
    second: Option<Vec<Option<Tensor>>>,
}

impl<'a> Case<'a> {
    fn read(line: &'a str) -> Self {
        let [name, feeds, y, xs, dy, gradients, second] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let feed = |text: &'a str| text.split_once('=').map(|(name, value)| (name, tensor(value))).unwrap();
        let tensors = |list: &str| texts(list).map(|text| (text != "-").then(|| tensor(text))).collect();
        Self {
            name,
            feeds: texts(feeds).map(feed).collect(),
            y,
            xs: texts(xs).collect(),
            dy: tensor(dy),
            gradients: tensors(gradients),
            second: (second != "-").then(|| tensors(second)),
        }
    }

    fn graph(&self) -> Graph {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/oracle/flow/{}.pb", self.name));
        Graph::from_bytes(std::fs::read(path).unwrap(), Registry::global().unwrap()).unwrap()
    }

    /// The graph with gradients of `y`, and these.
    fn differentiated(&self) -> Result<(Graph, Output, Vec<Option<Output>>)> {
        let mut graph = self.graph();
        let y = graph.output_named(self.y)?;
        let dy = graph.scope().constant(self.dy.clone())?;
        let xs = self.xs.iter().map(|name| graph.output_named(name)).collect::<Result<Vec<_>>>()?;
        let found = graph.add_gradients(None, &[y], &xs, Some(&[dy]))?;
        Ok((graph, y, found))
    }

    fn check(&self) -> Result<(), String> {
        let said = |error: oplink::Error| format!("{error:?}");
        let (graph, y, found) = self.differentiated().map_err(said)?;
        // Functions that return more are written and read like others.
        let graph = read_back(&graph);
        let before = values(self.graph(), &self.feeds, &[y]).map_err(said)?;
        let after = values(read_back(&graph), &self.feeds, &[y]).map_err(said)?;
        compare(&after[0], &before[0], Tolerance { epsilons: 0.0, each: false })?;
        self.compare(&graph, &found, &self.gradients)?;
        let Some(second) = &self.second else { return Ok(()) };
        let mut graph = graph;
        let xs = self.xs.iter().map(|name| graph.output_named(name).unwrap()).collect::<Vec<_>>();
        let firsts: Vec<Output> = found.into_iter().flatten().collect();
        let twice = graph.add_gradients(None, &firsts, &xs, None).map_err(said)?;
        self.compare(&graph, &twice, second).map_err(|why| format!("second: {why}"))
    }

    fn compare(&self, graph: &Graph, found: &[Option<Output>], wanted: &[Option<Tensor>]) -> Result<(), String> {
        let outputs: Vec<Output> = found.iter().copied().flatten().collect();
        let computed = values(read_back(graph), &self.feeds, &outputs).map_err(|error| format!("{error:?}"))?;
        let mut computed = computed.into_iter();
        for ((found, wanted), x) in found.iter().zip(wanted).zip(&self.xs) {
            match (found.and_then(|_| computed.next()), wanted) {
                (Some(found), Some(wanted)) => {
                    compare(&found, wanted, TOLERANCE).map_err(|why| format!("{x}: {why}"))?;
                }
                // What nothing depends on may be zeros: loops hand gradients from iteration to iteration.
                (Some(found), None) => {
                    let zeros = Tensor::zeros(found.dtype(), found.shape().clone()).unwrap();
                    compare(&found, &zeros, TOLERANCE).map_err(|why| format!("{x}: {why}"))?;
                }
                (None, None) => {}
                (None, Some(wanted)) => {
                    let zeros = Tensor::zeros(wanted.dtype(), wanted.shape().clone()).unwrap();
                    compare(&zeros, wanted, TOLERANCE).map_err(|why| format!("{x} has no gradient: {why}"))?;
                }
            }
        }
        Ok(())
    }
}

fn read_back(graph: &Graph) -> Graph {
    let bytes = graph.to_bytes().unwrap();
    Graph::from_bytes(bytes, Registry::global().unwrap()).unwrap()
}

/// The ops of all graphs and their functions.
pub(crate) fn ops() -> BTreeSet<String> {
    let mut ops = BTreeSet::new();
    for line in CASES.lines() {
        let graph = Case::read(line).graph();
        ops.extend(graph.nodes().iter().map(|node| node.op_name().to_owned()));
        for function in graph.library().into_iter().flat_map(|library| &library.function) {
            ops.extend(function.node_def.iter().map(|node| node.op.clone()));
        }
    }
    ops
}

#[test]
fn gradients_through_functions_are_what_tensorflow_computes() {
    let mut failures = String::new();
    for line in CASES.lines() {
        let case = Case::read(line);
        if let Err(why) = case.check() {
            writeln!(failures, "{}: {why}", case.name).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// What `add_gradients` says to a graph that calls `f`, whose body is `body` of `x`, and then `g`, which it can
/// differentiate.
fn refused(body: impl FnOnce(&mut Graph, Output) -> Output) -> oplink::Error {
    let mut graph = graph();
    add_function(&mut graph, "f", body);
    add_function(&mut graph, "g", |graph, x| oplink_ops::tanh(&mut graph.scope(), x).unwrap());
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::scalar()).unwrap();
    let first = call(&mut graph, "f", x);
    let y = call(&mut graph, "g", first);
    let before = graph.to_bytes().unwrap();
    let error = graph.add_gradients(None, &[y], &[x], None).unwrap_err();
    assert_eq!(graph.to_bytes().unwrap(), before);
    error
}

fn add_function(graph: &mut Graph, name: &str, body: impl FnOnce(&mut Graph, Output) -> Output) {
    let mut inner = crate::run::graph();
    let x = inner.scope().placeholder("x", DType::Float, PartialShape::scalar()).unwrap();
    let y = body(&mut inner, x);
    graph.add_function(&inner.to_function(name, &[x], &[y], &FunctionOptions::default()).unwrap()).unwrap();
}

fn call(graph: &mut Graph, function: &str, x: Output) -> Output {
    let function = FuncAttr { name: function.to_owned(), ..FuncAttr::default() };
    let attrs = vec![("Tout", AttrValue::Types(vec![DType::Float])), ("f", function.into())];
    let inputs = std::iter::once(Arg::List(vec![x])).collect();
    let call = Call { op: "PartitionedCall", name: None, device: None, inputs, attrs };
    graph.scope().add(call).unwrap().one(0).unwrap()
}

#[test]
fn what_cannot_be_differentiated_leaves_the_graph_as_it_was() {
    let error = refused(|graph, x| oplink_ops::igamma_grad_a(&mut graph.scope(), x, x).unwrap()).to_string();
    assert!(error.contains("No gradient defined for op: IgammaGradA"), "{error}");
    let error = refused(|graph, x| call(graph, "f", x)).to_string();
    assert!(error.contains("the function `f` calls itself"), "{error}");
}

#[test]
fn calls_that_double_at_each_level_are_refused() {
    let mut graph = graph();
    add_function(&mut graph, "f0", |graph, x| oplink_ops::tanh(&mut graph.scope(), x).unwrap());
    for level in 1..24 {
        let inner = format!("f{}", level - 1);
        add_function(&mut graph, &format!("f{level}"), |graph, x| {
            let once = call(graph, &inner, x);
            call(graph, &inner, once)
        });
    }
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::scalar()).unwrap();
    let y = call(&mut graph, "f23", x);
    let before = graph.to_bytes().unwrap();
    let error = graph.add_gradients(None, &[y], &[x], None).unwrap_err().to_string();
    assert!(error.contains("more than 512 calls of functions are differentiated"), "{error}");
    assert_eq!(graph.to_bytes().unwrap(), before);
}
