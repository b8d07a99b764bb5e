//! The next element of an iterator.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_state::Optional;
use oplink_ops::data::{IteratorGetNext, IteratorGetNextAsOptional, IteratorGetNextSync};

use super::resource::IteratorResource;
use crate::dataset::{Element, Run};
use crate::values::check_element;

/// The next element, checked against what a node declares.
fn next(
    iterator: &IteratorResource,
    dtypes: &[DType],
    shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Option<Element>> {
    let run = Run::of_iterator(&env)?;
    let element = iterator.with(&run, |elements| elements.next(&run))?;
    element.map(|element| check_element(&element, dtypes, shapes).map(|()| element)).transpose()
}

/// `IteratorGetNext` and `IteratorGetNextSync`: `OutOfRange` at the end.
#[kernel(IteratorGetNext, device = CPU)]
#[kernel(IteratorGetNextSync, device = CPU)]
pub fn iterator_get_next_cpu(
    iterator: Arc<IteratorResource>,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Vec<Tensor>> {
    next(&iterator, output_types, output_shapes, env)?.ok_or_else(|| Error::out_of_range("End of sequence"))
}

/// `IteratorGetNextAsOptional`: an optional without a value at the end.
#[kernel(IteratorGetNextAsOptional, device = CPU)]
pub fn iterator_get_next_as_optional_cpu(
    iterator: Arc<IteratorResource>,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<Tensor> {
    let element = next(&iterator, output_types, output_shapes, env)?;
    Ok(Tensor::scalar(Variant::new(Optional(element))))
}
