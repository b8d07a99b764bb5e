//! How the tensors of ops on parts of a variable are made up.

use oplink::prelude::*;

/// How many rows `variable` has, and of how many elements, where `updates` is a row for each of `indices` or a scalar.
///
/// # Errors
/// The shapes or dtypes do not fit.
pub fn rows_of(variable: &Tensor, indices: &Shape, updates: &Tensor) -> Result<(usize, usize)> {
    let (shape, dtype) = (variable.shape(), variable.dtype());
    ensure!(dtype == updates.dtype(), "the variable holds {dtype}, the updates {}", updates.dtype());
    let Some((&count, row)) = shape.split_first() else {
        bail!("the variable must be at least a vector, it is a scalar")
    };
    let wanted: Shape = [&**indices, row].concat().into();
    ensure!(
        updates.rank() == 0 || *updates.shape() == wanted,
        "updates must have the shape {wanted}, indices.shape + variable.shape[1:], or be a scalar; they have {}",
        updates.shape()
    );
    Ok((count, row.iter().product()))
}

/// The coordinates in `indices`, of which a vector holds one for each slice.
///
/// # Errors
/// None.
pub fn slice_coordinates(indices: &Tensor) -> Result<Tensor> {
    let count = indices.num_elements();
    if indices.rank() == 1 { indices.clone().with_shape([count, 1]) } else { Ok(indices.clone()) }
}
