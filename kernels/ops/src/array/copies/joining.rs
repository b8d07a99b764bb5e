//! Tensors joined and taken apart along an axis.

use oplink::prelude::*;
use smallvec::SmallVec;

use crate::arguments;
use crate::movement::{CopyBackend, Piece, take_range};

/// `Concat` and `ConcatV2`: `values` joined along `axis`, by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn concat<B: CopyBackend>(
    axis: &Tensor,
    values: &[Tensor],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = arguments::scalar(axis, "the axis to join along")?;
    let Some(first) = values.first().map(Tensor::shape) else { bail!("there must be at least one value") };
    let axis = arguments::axis(axis, first.rank(), "the axis to join along")?;
    let mut shape = first.clone();
    shape.dims_mut()[axis] = 0;
    for (index, value) in values.iter().enumerate() {
        check_extents(index, value.shape(), first, axis)?;
        shape.dims_mut()[axis] += value.shape()[axis];
    }
    let pieces = values.iter().map(|tensor| Piece { tensor, length: tensor.shape()[axis..].iter().product() });
    B::join_rows(env, output.allocate(shape)?, &pieces.collect::<SmallVec<[_; 4]>>())
}

fn check_extents(index: usize, shape: &Shape, first: &Shape, axis: usize) -> Result<()> {
    let same = |i: usize| i == axis || shape[i] == first[i];
    ensure!(
        shape.rank() == first.rank() && (0..shape.rank()).all(same),
        "values[{index}] of shape {shape} cannot be joined to values[0] of shape {first} along axis {axis}: \
         the other extents must be equal"
    );
    Ok(())
}

/// `Pack` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn pack<B: CopyBackend>(values: &[Tensor], axis: i64, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let Some(first) = values.first().map(Tensor::shape) else { bail!("there must be at least one value") };
    for (index, value) in values.iter().enumerate() {
        ensure!(value.shape() == first, "values[{index}] has shape {}, values[0] has {first}", value.shape());
    }
    let axis = arguments::axis(axis, first.rank() + 1, "axis")?;
    let (before, after) = first.split_at(axis);
    let shape: Shape = before.iter().chain(&[values.len()]).chain(after).copied().collect();
    let length = first[axis..].iter().product();
    let pieces: SmallVec<[_; 4]> = values.iter().map(|tensor| Piece { tensor, length }).collect();
    B::join_rows(env, output.allocate(shape)?, &pieces)
}

/// `Unpack` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn unpack<B: CopyBackend>(value: &Tensor, axis: i64, mut output: OutputList<'_>, env: Env<'_>) -> Result<()> {
    let axis = arguments::axis(axis, value.rank(), "axis")?;
    ensure!(
        value.shape()[axis] == output.len(),
        "axis {axis} of shape {} must have extent {}, the number of outputs",
        value.shape(),
        output.len()
    );
    let others = value.shape().iter().enumerate().filter(|(other, _)| *other != axis);
    let shape: Shape = others.map(|(_, &extent)| extent).collect();
    for (index, mut output) in output.iter_mut().enumerate() {
        env.poll();
        take_range::<B>(env, &mut output, value, axis, (index, 1), shape.clone())?;
    }
    Ok(())
}

/// `Split` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn split<B: CopyBackend>(split_dim: &Tensor, value: &Tensor, output: OutputList<'_>, env: Env<'_>) -> Result<()> {
    let axis = arguments::axis(arguments::scalar(split_dim, "split_dim")?, value.rank(), "split_dim")?;
    let (parts, extent) = (output.len(), value.shape()[axis]);
    ensure!(
        extent.is_multiple_of(parts),
        "axis {axis} of shape {} cannot be split into {parts} equal parts",
        value.shape()
    );
    // bounded: as many as outputs, and nothing is collected
    set_parts::<B>(value, axis, std::iter::repeat_n(extent / parts, parts), output, env)
}

/// `SplitV` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn split_v<B: CopyBackend>(
    value: &Tensor,
    size_splits: &Tensor,
    split_dim: &Tensor,
    output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = arguments::axis(arguments::scalar(split_dim, "split_dim")?, value.rank(), "split_dim")?;
    let sizes = arguments::vector(size_splits, "size_splits")?;
    ensure!(
        sizes.len() == output.len(),
        "size_splits must have {} elements, one for each output, it is {sizes:?}",
        output.len()
    );
    let extent = value.shape()[axis];
    ensure!(
        sizes.len() != 1 || sizes[0] == extent as i64,
        "a single part must be the axis' extent {extent}, it is {sizes:?}"
    );
    set_parts::<B>(value, axis, part_sizes(&sizes, extent)?.into_iter(), output, env)
}

/// Sets the outputs to successive parts of these extents along the axis.
fn set_parts<B: CopyBackend>(
    value: &Tensor,
    axis: usize,
    sizes: impl Iterator<Item = usize>,
    mut output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let mut start = 0;
    for (count, mut output) in sizes.zip(output.iter_mut()) {
        env.poll();
        let mut shape = value.shape().clone();
        shape.dims_mut()[axis] = count;
        take_range::<B>(env, &mut output, value, axis, (start, count), shape)?;
        start += count;
    }
    Ok(())
}

/// The extents of the parts of an axis of extent `total`.
fn part_sizes(sizes: &[i64], total: usize) -> Result<Vec<usize>> {
    let given = sizes.iter().filter(|&&size| size != -1).try_fold(0i64, |sum, &size| sum.checked_add(size));
    let rest = given.and_then(|given| (total as i64).checked_sub(given));
    let rests = sizes.iter().filter(|&&size| size == -1).count();
    let rest = match rest {
        Some(rest) if rests <= 1 && rest >= 0 && (rests == 1 || rest == 0) => rest,
        _ => bail!("size_splits {sizes:?} must fill the axis' extent {total}, with -1 at most once for the rest"),
    };
    let size = |&size: &i64| usize::try_from(if size == -1 { rest } else { size });
    match sizes.iter().map(size).collect::<Result<_, _>>() {
        Ok(sizes) => Ok(sizes),
        Err(_) => bail!("size_splits {sizes:?} must be >= 0, or -1 for the rest"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_that_do_not_fill_the_axis_are_errors() {
        for sizes in [&[1, 1][..], &[-1, -1], &[4, -1], &[-2, 5], &[i64::MAX, 1]] {
            assert!(part_sizes(sizes, 3).is_err(), "{sizes:?}");
        }
        assert_eq!(part_sizes(&[0, 3, -1], 3).unwrap(), [0, 3, 0]);
    }
}
