//! Many nodes to wait for made one, so that the edges of a plan do not multiply.

use oplink_api::Result;

use super::Rewrite;
use super::devices::kernel_of;
use crate::build::NewNode;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// More nodes than this are gathered.
const MAX_UNGATHERED: usize = 16;

impl Rewrite {
    /// Makes many nodes to wait for one: a new node that waits for them all, where there is a kernel for it.
    ///
    /// # Errors
    /// Those of adding a node.
    pub(super) fn gather(&mut self, nodes: &mut Vec<u32>, call: &Node, what: &str) -> Result<()> {
        if nodes.len() <= MAX_UNGATHERED || self.graph.registry.get_op(KnownOp::NoOp.name()).is_none() {
            return Ok(());
        }
        let (name, device) = (format!("{}/{what}", call.name()), call.device().to_owned());
        let op = KnownOp::NoOp.name();
        let new = NewNode { op, name: &name, device: &device, inputs: &[], control_inputs: nodes, attrs: &[] };
        let node = self.add(new)?;
        if kernel_of(self, self.node(node)).is_some() {
            *nodes = vec![node];
        }
        Ok(())
    }
}
