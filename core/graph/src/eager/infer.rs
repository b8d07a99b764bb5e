//! The shapes of a call's outputs, inferred without making the call.

use oplink_api::shape_inference::{ConstantInputs, HandleShape};
use oplink_api::{AttrValue, PartialShape, Result, ShapeContext, Tensor, ensure};
use oplink_core::node_from_attrs;

use super::context::EagerContext;
use crate::infer::{run_shape_fn, with_inputs};

/// What is known of the inputs of a call that is not made. Lists may be shorter than there are inputs.
#[derive(Default)]
pub struct KnownInputs {
    /// The shapes, one for each input.
    pub shapes: Vec<PartialShape>,
    /// The values of those that are known.
    pub tensors: Vec<Option<Tensor>>,
    /// The shapes that inputs of integers stand for.
    pub as_shapes: Vec<Option<PartialShape>>,
    /// What handles refer to.
    pub handles: Vec<Vec<HandleShape>>,
}

impl ConstantInputs for KnownInputs {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        self.tensors.get(index)?.as_ref()
    }

    fn as_shape(&self, index: usize) -> Option<PartialShape> {
        self.as_shapes.get(index)?.clone()
    }

    fn handle_shapes(&self, index: usize) -> &[HandleShape] {
        self.handles.get(index).map_or(&[], Vec::as_slice)
    }
}

impl EagerContext {
    /// The shapes of the outputs of an op with these attrs, which are all that have no default.
    ///
    /// # Errors
    /// The op is unknown; the attrs or the number of inputs do not fit it; its shape function refuses the inputs.
    pub fn infer_shapes(
        &self,
        op: &str,
        attrs: &[(&str, AttrValue)],
        inputs: &KnownInputs,
    ) -> Result<Vec<PartialShape>> {
        let node = node_from_attrs(self.registry().op(op)?, op, "", attrs.iter().cloned())?;
        let (expected, given) = (node.input_dtypes.len(), inputs.shapes.len());
        ensure!(expected == given, "op {op} with these attrs has {expected} inputs, shapes of {given} are given");
        let Some(shape_fn) = node.shape_fn else {
            return Ok(vec![PartialShape::unknown(); node.output_dtypes.len()]);
        };
        let mut context = ShapeContext::new(&node, &inputs.shapes, inputs);
        run_shape_fn(shape_fn, &mut context).map_err(|error| with_inputs(error, &node, &inputs.shapes))?;
        Ok(context.into_output_shapes())
    }
}
