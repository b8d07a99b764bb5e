//! How a message is added to a graph that has nodes, and what comes of it.

use oplink_api::Output;

use super::ImportOptions;

/// What an input of an imported node is replaced by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputMapping {
    /// Where a node reads the output `node:index`, it reads this output of the graph instead.
    Data {
        /// The node's name in the message.
        node: String,
        /// Which of its outputs.
        index: u32,
        /// An output of the graph.
        to: Output,
    },
    /// Where a node waits for `node`, it waits for this node of the graph instead.
    Control {
        /// The node's name in the message.
        node: String,
        /// A node of the graph.
        to: u32,
    },
}

/// How a message is added to a graph.
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    /// Stands before all names, followed by `/`; empty for none.
    pub prefix: String,
    /// Gives nodes whose name is taken another one.
    pub uniquify_names: bool,
    /// Gives the prefix a suffix where it is taken.
    pub uniquify_prefix: bool,
    /// The device of nodes that ask for none.
    pub default_device: String,
    /// What inputs are replaced by.
    pub input_mappings: Vec<InputMapping>,
    /// Nodes of the graph that all imported ones wait for.
    pub control_inputs: Vec<u32>,
    /// Outputs asked for, by their names in the message; one that is mapped is what it is mapped to.
    pub return_outputs: Vec<(String, u32)>,
    /// Nodes asked for, by their names in the message.
    pub return_nodes: Vec<String>,
    /// Bounds.
    pub limits: ImportOptions,
}

/// What an import brought.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// The outputs asked for.
    pub return_outputs: Vec<Output>,
    /// The nodes asked for.
    pub return_nodes: Vec<u32>,
    /// Positions of the mappings that no input used and whose output the message does not have either.
    pub unused_mappings: Vec<usize>,
}
