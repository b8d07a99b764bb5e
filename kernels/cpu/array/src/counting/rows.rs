//! The rows that values of sparse and of ragged tensors are in.

use oplink::memory::try_vec;
use oplink::prelude::*;

/// The number of rows that splits make, and the row of each of so many values.
///
/// # Errors
/// The splits do not start with 0, or do not end with the number of values.
pub(super) fn by_splits(splits: &Tensor, values: usize) -> Result<(usize, Vec<usize>)> {
    let splits = splits.as_slice::<i64>()?;
    let (Some((first, _)), Some(last)) = (splits.split_first(), splits.last()) else { bail!("splits has no elements") };
    ensure!(*first == 0, "splits must start with 0, it starts with {first}");
    ensure!(*last == values as i64, "splits must end with {values}, the number of values, it ends with {last}");
    let mut rows = try_vec(values)?;
    let mut next = 0;
    for at in 0..values as i64 {
        while splits[next] <= at {
            next += 1;
        }
        rows.push(next - 1);
    }
    Ok((splits.len() - 1, rows))
}

/// The shape of a sparse tensor, and the first index of each of so many values.
///
/// # Errors
/// The parts do not fit each other, or an index is outside of the shape.
pub(super) fn by_indices(indices: &Tensor, dense_shape: &Tensor, values: &Tensor) -> Result<(Shape, Vec<usize>)> {
    let shape = oplink_ops::arguments::shape(dense_shape, "dense_shape")?;
    let (rank, count) = (shape.rank(), values.num_elements());
    ensure!(rank > 0, "dense_shape must have an element at least");
    ensure!(values.rank() == 1, "values must be a vector, its shape is {}", values.shape());
    let own = indices.shape();
    ensure!(own.dims() == [count, rank], "indices must have the shape [{count},{rank}], it has {own}");
    let mut rows = try_vec(count)?;
    for (at, index) in indices.as_slice::<i64>()?.chunks_exact(rank).enumerate() {
        let inside = index.iter().zip(shape.iter()).all(|(&index, &dim)| index >= 0 && (index as u64) < dim as u64);
        ensure!(inside, "indices[{at}] = {index:?} is outside of the shape {shape}");
        rows.push(index[0] as usize);
    }
    Ok((shape, rows))
}
