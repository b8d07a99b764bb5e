//! The inputs of a node as its message writes them.

use std::collections::HashMap;

use oplink_api::Output;
use oplink_proto::NodeDef;
use oplink_spec::nearest;
use oplink_spec::sorting::sort;

use super::problems::Problems;
use crate::names::TensorName;

/// Where a node's inputs come from.
#[derive(Debug, Default)]
pub(super) struct Edges {
    pub(super) inputs: Vec<Output>,
    pub(super) control_inputs: Vec<u32>,
    /// Whether every input was found.
    pub(super) complete: bool,
}

/// Reads the inputs; those that are wrong are reported and left out.
pub(super) fn read(node: &NodeDef, index: &HashMap<&str, u32>, problems: &mut Problems) -> Edges {
    let mut edges = Edges { complete: true, ..Edges::default() };
    for text in &node.input {
        let name = TensorName::parse(text);
        let (TensorName::Data(source, _) | TensorName::Control(source)) = name;
        match (index.get(source), name) {
            (Some(&node), TensorName::Control(_)) => edges.control_inputs.push(node),
            (Some(&node), TensorName::Data(_, index)) if edges.control_inputs.is_empty() => {
                edges.inputs.push(Output { node, index });
            }
            (found, _) => {
                edges.complete = false;
                let reason = bad_input(text, found.is_some(), index, problems);
                problems.malformed(&node.name, &node.op, reason);
            }
        }
    }
    edges
}

/// Why an input cannot be read: it stands behind a control input, or there is no such node.
pub(super) fn bad_input(text: &str, found: bool, index: &HashMap<&str, u32>, problems: &Problems) -> String {
    let (TensorName::Data(source, _) | TensorName::Control(source)) = TensorName::parse(text);
    match found {
        true => format!("input `{text}` stands behind a control input; control inputs come last"),
        false if problems.is_full() => String::new(),
        false => unknown(text, source, index),
    }
}

fn unknown(text: &str, source: &str, index: &HashMap<&str, u32>) -> String {
    let mut names: Vec<&str> = index.keys().copied().collect();
    sort(&mut names);
    let guess = nearest(source, names.into_iter());
    let guess = guess.map_or_else(String::new, |guess| format!("; did you mean `{guess}`?"));
    format!("its input `{}` is no node of the graph{guess}", text.escape_debug())
}
