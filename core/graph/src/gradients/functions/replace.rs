//! A node that comes to call other functions, which return more behind the results that it has.

use std::sync::Arc;

use oplink_api::{AttrValue, Output, Result, ResultExt};
use oplink_core::node_from_attrs;

use crate::Graph;
use crate::graph::Node;
use crate::infer::infer_node;
use crate::known_ops::KnownOp;

/// Nodes as they were.
#[derive(Debug, Default)]
pub(in crate::gradients) struct Replaced(Vec<(u32, Node)>);

impl Replaced {
    /// Puts the nodes back.
    pub(in crate::gradients) fn undo(&mut self, graph: &mut Graph) {
        while let Some((position, node)) = self.0.pop() {
            graph.constants.truncate(position);
            graph.nodes[position as usize] = node;
        }
    }

    /// Gives a node another op or other attrs, and other inputs. What is known of the outputs that it has stays known.
    ///
    /// # Errors
    /// The op is not declared, does not allow an attr, or refuses the inputs.
    pub(in crate::gradients) fn replace(
        &mut self,
        graph: &mut Graph,
        position: u32,
        op: KnownOp,
        inputs: Vec<Output>,
        attrs: &[(&str, AttrValue)],
    ) -> Result<()> {
        let former = &graph.nodes()[position as usize];
        let context = format!("node `{}` (op {})", former.name(), former.op_name());
        let (name, device) = (former.info().name.clone(), former.info().device.clone());
        let info = node_from_attrs(graph.op(op.name())?, name, device, attrs.iter().cloned());
        let info = info.context_with(|| context.clone())?;
        let mut inferred = infer_node(graph, &info, &inputs).context_with(|| context)?;
        let known = graph.known_ops.get(info.op_id());
        let former = &graph.nodes()[position as usize];
        for (inferred, known) in inferred.shapes.iter_mut().zip(former.output_shapes()) {
            inferred.clone_from(known);
        }
        let node = Node {
            known,
            info: Arc::new(info),
            inputs,
            control_inputs: former.control_inputs().to_vec(),
            output_shapes: inferred.shapes,
            handle_shapes: inferred.handles,
            provenance: former.provenance.clone(),
            origin: None,
        };
        graph.constants.truncate(position);
        self.0.push((position, std::mem::replace(&mut graph.nodes[position as usize], node)));
        Ok(())
    }
}
