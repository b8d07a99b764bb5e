//! Windows whose elements are inputs.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::WindowOp;

use crate::dataset::{DatasetHandle, Element};
use crate::window::Given;

/// `WindowOp`.
#[kernel(WindowOp, device = CPU)]
pub fn window_op_cpu(
    inputs: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let elements: Vec<Element> = inputs.chunks_exact(output_types.len().max(1)).map(<[Tensor]>::to_vec).collect();
    for (number, element) in elements.iter().enumerate() {
        crate::values::check_element(element, output_types, output_shapes)
            .map_err(|error| error.context(format!("element {number}")))?;
    }
    DatasetHandle::new(&env, output_types, output_shapes, Given(Arc::new(elements)))
}
