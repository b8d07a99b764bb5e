//! Reading the small integer inputs of ops, in host memory: axes, shapes, counts. `name` is the input's, for errors.

use oplink::prelude::*;
use oplink::shape_inference::{FewInts, few_ints, int_values, normalize_axis};

/// The values of a vector of integers.
///
/// # Errors
/// It is no vector, or its elements are no integers.
pub fn vector(tensor: &Tensor, name: &str) -> Result<Vec<i64>> {
    ensure!(tensor.rank() == 1, "{name} must be a vector, it has shape {}", tensor.shape());
    int_values(tensor)
}

/// As [`vector`], for inputs that mostly have a few values.
///
/// # Errors
/// As [`vector`].
pub fn few(tensor: &Tensor, name: &str) -> Result<FewInts> {
    ensure!(tensor.rank() == 1, "{name} must be a vector, it has shape {}", tensor.shape());
    few_ints(tensor)
}

/// The value of an integer scalar.
///
/// # Errors
/// It is no scalar, or its element is no integer.
pub fn scalar(tensor: &Tensor, name: &str) -> Result<i64> {
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    Ok(few_ints(tensor)?[0])
}

/// An axis of a tensor of this rank; negative ones count from the end.
///
/// # Errors
/// There is no such axis.
pub fn axis(value: i64, rank: usize, name: &str) -> Result<usize> {
    normalize_axis(value, rank).map_err(|error| error.context(format!("reading {name}")))
}

/// A vector as a shape.
///
/// # Errors
/// It is no vector of extents, or the shape has too many elements.
pub fn shape(tensor: &Tensor, name: &str) -> Result<Shape> {
    let dims = few(tensor, name)?;
    let shape = Shape::from_i64(&dims).map_err(|error| error.context(format!("reading {name}")))?;
    ensure!(shape.checked_num_elements().is_some(), "{name} {shape} has too many elements");
    Ok(shape)
}
