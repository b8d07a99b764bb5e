//! How the body of a function writes inputs: `argument`, `node:output:index`, `^node`.

use std::collections::HashMap;

use oplink_api::{Result, bail};

/// The tensors behind each name that a body may use.
#[derive(Debug, Default)]
pub(super) struct BodyNames(HashMap<String, Tensors>);

/// Consecutive outputs of one node, or one output of each of several nodes.
#[derive(Clone, Debug)]
enum Tensors {
    Outputs { node: String, first: usize, count: usize },
    Nodes(Vec<String>),
}

impl BodyNames {
    /// An argument, with a node for each of its tensors.
    pub(super) fn argument(&mut self, name: &str, nodes: Vec<String>) {
        self.0.insert(name.to_owned(), Tensors::Nodes(nodes));
    }

    /// A declared output of a node.
    pub(super) fn output(&mut self, node: &str, output: &str, first: usize, count: usize) {
        self.0.insert(format!("{node}:{output}"), Tensors::Outputs { node: node.to_owned(), first, count });
    }

    /// What a graph writes for an input of a body: one tensor, or all of a list that is named without an index.
    ///
    /// # Errors
    /// The body has no such tensor.
    pub(super) fn resolve(&self, input: &str) -> Result<Vec<String>> {
        if input.starts_with('^') {
            return Ok(vec![input.to_owned()]);
        }
        if let Some(tensors) = self.0.get(input) {
            return Ok(tensors.all());
        }
        let element = input.rsplit_once(':').and_then(|(name, index)| {
            let tensors = self.0.get(name)?;
            tensors.get(index.parse().ok()?)
        });
        match element {
            Some(tensor) => Ok(vec![tensor]),
            None => bail!(
                "`{}` is no tensor of the function: write an argument's name, or `node:output:index`",
                input.escape_debug()
            ),
        }
    }
}

impl Tensors {
    fn get(&self, index: usize) -> Option<String> {
        match self {
            Self::Outputs { node, first, count } => (index < *count).then(|| format!("{node}:{}", first + index)),
            Self::Nodes(nodes) => nodes.get(index).cloned(),
        }
    }

    fn all(&self) -> Vec<String> {
        match self {
            Self::Outputs { node, first, count } => (*first..first + count).map(|i| format!("{node}:{i}")).collect(),
            Self::Nodes(nodes) => nodes.clone(),
        }
    }
}
