//! Reading the small integer inputs of ops on state: positions, sizes, element shapes.

use oplink::int_values;
use oplink::prelude::*;

/// The value of an integer scalar.
pub(super) fn scalar(context: &KernelContext<'_>, index: usize, name: &str) -> Result<i64> {
    let tensor = context.input(index);
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    Ok(int_values(tensor)?[0])
}

/// The value of a tensor of integers with one element.
pub(super) fn single(context: &KernelContext<'_>, index: usize, name: &str) -> Result<i64> {
    match int_values(context.input(index))?[..] {
        [value] => Ok(value),
        _ => bail!("{name} must have one element, it has shape {}", context.input(index).shape()),
    }
}

/// The values of a vector of integers.
pub(super) fn vector(context: &KernelContext<'_>, index: usize, name: &str) -> Result<Vec<i64>> {
    let tensor = context.input(index);
    ensure!(tensor.rank() == 1, "{name} must be a vector, it has shape {}", tensor.shape());
    int_values(tensor)
}

/// A size or position that must not be negative.
pub(super) fn not_negative(value: i64, name: &str) -> Result<usize> {
    usize::try_from(value).map_err(|_| Error::invalid_argument(format!("{name} must not be negative, it is {value}")))
}

/// The element shape in an input: a vector of extents, -1 for unknown ones, or the scalar -1 for an unknown rank.
pub(super) fn element_shape(context: &KernelContext<'_>, index: usize) -> Result<PartialShape> {
    let (tensor, values) = (context.input(index), int_values(context.input(index))?);
    match (tensor.rank(), &values[..]) {
        (0, [-1]) => Ok(PartialShape::unknown()),
        (0, [value]) => bail!("an element shape that is a scalar must be -1, for an unknown one; it is {value}"),
        (1, values) => PartialShape::from_i64(Some(values)),
        _ => bail!("an element shape must be a vector or a scalar, it has shape {}", tensor.shape()),
    }
}
