//! Calls that also tell their node: what a tape records.

use std::sync::Arc;

use oplink_api::{AttrValue, NodeInfo, Result, Tensor};
use smallvec::SmallVec;

use super::context::EagerContext;

/// What a call gave, and the node that ran.
#[derive(Debug)]
pub struct NodeCall {
    /// The outputs in order.
    pub outputs: SmallVec<[Tensor; 2]>,
    /// The node: the op, with all attrs and dtypes.
    pub node: Arc<NodeInfo>,
}

impl EagerContext {
    /// Calls an op on inputs in one list, which the kernel may take: where one is the only reference to its memory, an
    /// output may be written there. `lengths` has for each argument the length of its list, and `None` for a single
    /// tensor. The call is on `device`, else where [`on_device`](super::on_device) or [`EagerContext::place`] puts it.
    ///
    /// # Errors
    /// As [`EagerContext::call`].
    pub fn call_node(
        &self,
        op: &str,
        device: Option<&str>,
        lengths: &[Option<usize>],
        attrs: &[(&str, AttrValue)],
        inputs: &mut [Tensor],
    ) -> Result<NodeCall> {
        let placed = self.placed((op, None), device, lengths, attrs, inputs)?;
        let node = placed.kernel.node().clone();
        let mut slots: SmallVec<[Option<Tensor>; 2]> = SmallVec::from_elem(None, node.output_dtypes.len());
        self.run_placed(&placed, inputs, &mut slots)?;
        Ok(NodeCall { outputs: slots.into_iter().flatten().collect(), node })
    }
}
