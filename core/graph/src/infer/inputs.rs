//! What a shape function may know of its inputs beyond their shapes.

use std::cell::OnceCell;

use oplink_api::shape_inference::{ConstantInputs, HandleShape};
use oplink_api::{Output, PartialShape, Tensor};
use smallvec::SmallVec;

use super::evaluate::Evaluator;
use super::partial::shape_of_extents;

/// The inputs of one node; values are found when they are asked for.
pub(super) struct KnownInputs<'a> {
    evaluator: &'a Evaluator<'a>,
    inputs: &'a [Output],
    values: SmallVec<[OnceCell<Option<Tensor>>; 4]>,
}

impl<'a> KnownInputs<'a> {
    pub(super) fn new(evaluator: &'a Evaluator<'a>, inputs: &'a [Output]) -> Self {
        Self { evaluator, inputs, values: inputs.iter().map(|_| OnceCell::new()).collect() }
    }
}

impl ConstantInputs for KnownInputs<'_> {
    fn tensor(&self, index: usize) -> Option<&Tensor> {
        let input = *self.inputs.get(index)?;
        self.values[index].get_or_init(|| self.evaluator.value(input)).as_ref()
    }

    fn as_shape(&self, index: usize) -> Option<PartialShape> {
        shape_of_extents(self.evaluator, *self.inputs.get(index)?).filter(|shape| shape.rank().is_some())
    }

    fn handle_shapes(&self, index: usize) -> &[HandleShape] {
        let graph = self.evaluator.graph();
        let node = self.inputs.get(index).and_then(|input| Some((graph.node(input.node)?, input.index)));
        node.map_or(&[], |(node, output)| node.handle_shapes(output as usize))
    }
}
