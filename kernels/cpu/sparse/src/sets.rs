//! Sets of values along the last axis, those of dense tensors and of sparse ones.

use std::collections::BTreeSet;

use oplink::prelude::*;
use oplink_ops::movement::coordinates;

use crate::coordinates::{Sparse, check_inside, groups};
use crate::gather::{rows_vec, shape_tensor};

/// A set with the leading coordinates that it stands at.
pub(crate) type Group<T> = (Vec<i64>, BTreeSet<T>);

/// The sets of a sparse tensor, one for each run of indices that agree but for the last column.
///
/// # Errors
/// The tensor has one axis, or an index is outside of its shape; with `validate`, or indices do not rise.
pub(crate) fn of_sparse<T: Element + Ord>(input: &Sparse<'_>, validate: bool) -> Result<Vec<Group<T>>> {
    let rank = input.shape.rank();
    ensure!(rank >= 2, "a set's shape must have 2 extents at least, it is {}", input.shape);
    if validate {
        input.check_order()?;
    }
    let values = input.values.as_slice::<T>()?;
    let order: Vec<usize> = oplink::memory::try_collect(0..input.at.count)?;
    let axes: Vec<usize> = (0..rank - 1).collect();
    let group = |group: std::ops::Range<usize>| {
        for at in group.clone() {
            check_inside(input.at.row(at), &input.shape, at)?;
        }
        let leading = input.at.row(group.start)[..rank - 1].to_vec();
        Ok((leading, values[group].iter().cloned().collect()))
    };
    groups(input.at, &order, &axes)?.into_iter().map(group).collect()
}

/// The sets of a dense tensor in row-major order of their coordinates.
pub(crate) fn of_dense<T: Element + Ord>(input: &Tensor) -> Result<Vec<Group<T>>> {
    let Some((&length, leading)) = input.shape().split_last() else { bail!("a set must have 2 axes at least") };
    ensure!(!leading.is_empty(), "a set must have 2 axes at least, its shape is {}", input.shape());
    let values = input.as_slice::<T>()?;
    let set = |row: usize| values[row * length..][..length].iter().cloned().collect();
    let count = Shape::from(leading).checked_num_elements();
    let Some(count) = count else { bail!("a set of shape {} has too many rows", input.shape()) };
    let mut groups = oplink::memory::try_vec(count)?;
    for row in 0..count {
        groups.push((coordinates(row, leading).to_vec(), set(row)));
    }
    Ok(groups)
}

/// Writes sets as a sparse tensor, with these leading extents.
pub(crate) fn write<T: Element>(
    groups: &[Group<T>],
    leading: &[usize],
    [mut indices, mut values, mut shape]: [OutputSlot<'_>; 3],
) -> Result<()> {
    let count = groups.iter().map(|group| group.1.len()).sum();
    let longest = groups.iter().map(|group| group.1.len()).max().unwrap_or(0);
    let extents = [leading, &[longest]].concat();
    let dense: Shape = extents.iter().copied().collect();
    ensure!(dense.checked_num_elements().is_some(), "the sets' shape {dense} has too many elements");
    let mut rows = rows_vec(count, extents.len())?;
    let out = values.allocate([count])?.as_mut_slice::<T>()?;
    let members = groups.iter().flat_map(|(at, set)| set.iter().enumerate().map(move |member| (at, member)));
    for (out, (at, (position, value))) in out.iter_mut().zip(members) {
        rows.extend_from_slice(at);
        rows.push(position as i64);
        *out = value.clone();
    }
    indices.set(Tensor::from_vec([count, extents.len()], rows)?);
    shape.set(shape_tensor(&extents));
    Ok(())
}
