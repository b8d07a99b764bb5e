//! A function that is made op by op, as a program calls them.

use std::sync::Arc;

use oplink_api::{AttrValue, DType, Output, PartialShape, Result, ensure};
use oplink_core::Registry;
use oplink_proto::FunctionDef;

use super::FunctionOptions;
use crate::Graph;
use crate::build::NewNode;

/// A function under construction: parameters and the calls of ops so far.
#[derive(Debug)]
pub struct FunctionTrace {
    name: String,
    graph: Graph,
    parameters: Vec<Output>,
}

impl FunctionTrace {
    /// A function without parameters and ops.
    #[must_use]
    pub fn new(registry: &Arc<Registry>, name: &str) -> Self {
        Self { name: name.to_owned(), graph: Graph::new(registry), parameters: Vec::new() }
    }

    /// Adds a parameter after those there are.
    ///
    /// # Errors
    /// The dtype is none of a tensor.
    pub fn parameter(&mut self, dtype: DType, shape: PartialShape) -> Result<Output> {
        let name = self.free_name(&format!("input_{}", self.parameters.len()));
        let parameter = self.graph.scope().placeholder(&name, dtype, shape)?;
        self.parameters.push(parameter);
        Ok(parameter)
    }

    /// Adds a call of an op, under this name or, where that is taken, one that is made of it. Empty is a name made of
    /// the op's. All that it gives.
    ///
    /// # Errors
    /// As [`Graph::add_flat`].
    pub fn call(
        &mut self,
        op: &str,
        name: &str,
        inputs: &[Output],
        attrs: &[(&str, AttrValue)],
    ) -> Result<Vec<Output>> {
        let name = self.free_name(if name.is_empty() { op } else { name });
        let new = NewNode { op, name: &name, device: "", inputs: &[], control_inputs: &[], attrs };
        let node = self.graph.add_flat(new, inputs)?;
        let count = self.graph.nodes()[node as usize].num_outputs() as u32;
        Ok((0..count).map(|index| Output { node, index }).collect())
    }

    /// Lets calls name a function.
    ///
    /// # Errors
    /// As [`Graph::add_function`].
    pub fn add_function(&mut self, function: &FunctionDef) -> Result<()> {
        self.graph.add_function(function)
    }

    /// The function that returns these values. Ops that have an effect are part of it whether a value needs them or
    /// not.
    ///
    /// # Errors
    /// The function has no name; a value is none of its own.
    pub fn finish(&self, outputs: &[Output]) -> Result<FunctionDef> {
        ensure!(!self.name.is_empty(), "the function has no name");
        let is_parameter = |node: u32| self.parameters.iter().any(|parameter| parameter.node == node);
        let nodes = self.graph.nodes().iter().zip(0u32..).filter(|(_, position)| !is_parameter(*position));
        let effects: Vec<u32> =
            nodes.filter(|(node, _)| node.info().op.flags.stateful).map(|(_, position)| position).collect();
        let options = FunctionOptions { control_outputs: &effects, ..FunctionOptions::default() };
        self.graph.to_function(&self.name, &self.parameters, outputs, &options)
    }

    /// The name, with a number where it is taken.
    fn free_name(&self, wanted: &str) -> String {
        let numbered = (1..).map(|number| format!("{wanted}_{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| self.graph.position(name).is_none()).unwrap_or_default()
    }
}
