//! Changes to the attrs of a node that stands.

use std::sync::Arc;

use oplink_api::{AttrValue, Result, ResultExt, bail, ensure};
use oplink_core::node_from_attrs;

use crate::graph::Graph;
use crate::infer::infer_node;

impl Graph {
    /// Sets an attr of a node, whose dtypes must stay. The shapes of its outputs are inferred anew; those that were
    /// inferred from them stay as they are. Attrs whose name starts with `_` may be of any kind.
    ///
    /// # Errors
    /// There is no such node; its op has no such attr, or does not allow the value; an input or output would be of
    /// another dtype; the op's shape function refuses the input shapes. The graph is unchanged then.
    pub fn set_attr(&mut self, node: u32, name: &str, value: AttrValue) -> Result<()> {
        self.change_attrs(node, name, Some(value))
    }

    /// Takes an attr from a node; one that the op declares is its default from then on.
    ///
    /// # Errors
    /// As [`Graph::set_attr`]; and where the op declares the attr without a default.
    pub fn clear_attr(&mut self, node: u32, name: &str) -> Result<()> {
        self.change_attrs(node, name, None)
    }

    fn change_attrs(&mut self, node: u32, name: &str, value: Option<AttrValue>) -> Result<()> {
        let Some(target) = self.node(node) else { bail!("the graph has no node at position {node}") };
        let (info, inputs) = (target.info.clone(), target.inputs.clone());
        let context = || format!("attr `{name}` of node `{}` (op {})", info.name, info.op.name);
        let kept = info.attrs.iter().filter(|(known, _)| *known != name).map(|(known, value)| (known, value.clone()));
        let attrs: Vec<(&str, AttrValue)> = kept.chain(value.map(|value| (name, value))).collect();
        let changed = node_from_attrs(self.op(&info.op.name)?, info.name.clone(), info.device.clone(), attrs);
        let changed = changed.context_with(context)?;
        ensure!(
            changed.input_dtypes == info.input_dtypes && changed.output_dtypes == info.output_dtypes,
            "{}: its inputs and outputs would be other tensors: add a node instead",
            context()
        );
        let inferred = infer_node(self, &changed, &inputs).context_with(context)?;
        let target = &mut self.nodes[node as usize];
        (target.output_shapes, target.handle_shapes) = (inferred.shapes, inferred.handles);
        if let Some(origin) = &mut target.origin {
            origin.attrs.remove(name);
            origin.absent.retain(|absent| absent != name);
        }
        target.info = Arc::new(changed);
        self.constants.truncate(node);
        Ok(())
    }
}
