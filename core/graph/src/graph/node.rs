//! One node of a graph.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use oplink_api::shape_inference::HandleShape;
use oplink_api::{NodeInfo, Output, PartialShape};
use oplink_proto::node_def::ExperimentalDebugInfo;
use oplink_proto::{AttrValue as AttrMessage, FullTypeDef};

use super::Provenance;
use crate::known_ops::KnownOp;

/// An op with its attrs, the edges into it, and what is known of its outputs.
pub struct Node {
    pub(crate) info: Arc<NodeInfo>,
    /// Which op it is of those that the runtime knows.
    pub(crate) known: KnownOp,
    pub(crate) inputs: Vec<Output>,
    pub(crate) control_inputs: Vec<u32>,
    pub(crate) output_shapes: Vec<PartialShape>,
    pub(crate) handle_shapes: Vec<(usize, Vec<HandleShape>)>,
    pub(crate) provenance: Provenance,
    pub(crate) origin: Option<Box<Origin>>,
}

/// How an imported node was written, where that is not how export writes it by itself.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Origin {
    /// Attrs that were left to their defaults.
    pub(crate) absent: Vec<String>,
    /// Attrs written in another form.
    pub(crate) attrs: BTreeMap<String, AttrMessage>,
    /// Inputs, where one is written in another form.
    pub(crate) inputs: Option<Vec<String>>,
    /// Inputs of a node that joined a graph which had nodes, as its message and the options wrote them, where one is
    /// written in another form. Only the node's own message has them.
    pub(crate) merged_inputs: Option<Vec<String>>,
    pub(crate) debug_info: Option<ExperimentalDebugInfo>,
    pub(crate) full_type: Option<FullTypeDef>,
}

impl Node {
    /// Name in the graph.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The op's name.
    pub fn op_name(&self) -> &str {
        &self.info.op.name
    }

    /// Which op it is of those that the runtime knows.
    pub(crate) fn known(&self) -> KnownOp {
        self.known
    }

    /// Everything that a kernel may know: op, attrs, dtypes. Its device is the one asked for, possibly none.
    pub fn info(&self) -> &Arc<NodeInfo> {
        &self.info
    }

    /// The device asked for, as it was written; empty for none.
    pub fn device(&self) -> &str {
        &self.info.device
    }

    /// Where the inputs come from.
    pub fn inputs(&self) -> &[Output] {
        &self.inputs
    }

    /// Nodes that must have run before this one.
    pub fn control_inputs(&self) -> &[u32] {
        &self.control_inputs
    }

    /// Positions of all nodes that this one waits for.
    pub fn predecessors(&self) -> impl Iterator<Item = u32> {
        self.inputs.iter().map(|input| input.node).chain(self.control_inputs.iter().copied())
    }

    /// The number of outputs.
    pub fn num_outputs(&self) -> usize {
        self.info.output_dtypes.len()
    }

    /// Shapes of the outputs as far as they are known.
    pub fn output_shapes(&self) -> &[PartialShape] {
        &self.output_shapes
    }

    /// What an output handle refers to; empty where unknown.
    pub fn handle_shapes(&self, output: usize) -> &[HandleShape] {
        self.handle_shapes.iter().find(|(index, _)| *index == output).map_or(&[], |(_, shapes)| shapes)
    }
}

impl Clone for Node {
    /// The node without how it was written.
    fn clone(&self) -> Self {
        Self {
            info: self.info.clone(),
            known: self.known,
            inputs: self.inputs.clone(),
            control_inputs: self.control_inputs.clone(),
            output_shapes: self.output_shapes.clone(),
            handle_shapes: self.handle_shapes.clone(),
            provenance: self.provenance.clone(),
            origin: None,
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name(), self.op_name())?;
        f.debug_list().entries(&self.output_shapes).finish()
    }
}
