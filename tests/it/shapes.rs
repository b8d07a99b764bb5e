//! Every output of every node of the models has the dtype and the shape that TensorFlow infers, unknowns included.
//!
//! The expected files are made by `tests/tools/model_shapes.py`. The trained digits network is checked beside the
//! graph's own tests.

use std::fmt::Write as _;
use std::path::Path;

use oplink::Output;
use oplink::graph::Graph;
use oplink::runtime::Registry;

use crate::arrays::{large_model, repository};

/// One line an output, sorted.
fn shapes(graph: &Graph) -> Vec<String> {
    let mut lines = Vec::new();
    for (position, node) in graph.nodes().iter().enumerate() {
        for (index, shape) in node.output_shapes().iter().enumerate() {
            let dtype = graph.dtype(Output { node: position as u32, index: index as u32 });
            lines.push(format!("{}:{index} {} {shape}", node.name(), dtype.map_or("?", |dtype| dtype.name())));
        }
    }
    lines.sort_unstable();
    lines
}

/// What differs between the model's shapes and the expected ones; empty for nothing.
fn differences(path: &Path, expected: &str) -> String {
    let registry = Registry::global().expect("a registry");
    let graph = match Graph::load(path, registry) {
        Ok(graph) => graph,
        Err(error) => return error.to_string(),
    };
    let (ours, mut expected) = (shapes(&graph), expected.lines().collect::<Vec<_>>());
    expected.sort_unstable();
    let mut text = String::new();
    for line in ours.iter().filter(|line| expected.binary_search(&line.as_str()).is_err()) {
        let _ = writeln!(text, "oplink:     {line}");
    }
    for line in expected.iter().filter(|line| ours.binary_search_by(|have| have.as_str().cmp(line)).is_err()) {
        let _ = writeln!(text, "TensorFlow: {line}");
    }
    text
}

#[track_caller]
fn check(name: &str, graph: &Path, expected: &str) {
    let differences = differences(graph, expected);
    assert!(differences.is_empty(), "{name}:\n{differences}");
}

macro_rules! models {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            let graph = repository(&format!("tests/models/{name}.pb"));
            check(name, &graph, include_str!(concat!("../models/", stringify!($name), ".shapes")));
        }
    )*};
}

models!(lstm, lstm_v1, mlp_train, transformer, while_v1, while_v2);

#[test(Models)]
fn mobilenetv2() {
    check("mobilenetv2", &large_model("mobilenetv2.pb"), include_str!("../models/mobilenetv2.shapes"));
}
