//! Values and indices picked by position.

use oplink::memory::{try_collect, try_vec};
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, copy_axes_into};

use crate::coordinates::Coordinates;

/// Sets an output to the values at these positions, of any dtype.
pub(crate) fn pick_values(mut out: OutputSlot<'_>, values: &Tensor, positions: &[usize], env: Env<'_>) -> Result<()> {
    let table: Vec<isize> = try_collect(positions.iter().map(|&position| position as isize))?;
    copy_axes_into(&env, out.allocate([positions.len()])?, values, 0, &[Axis::Table(&table)])
}

/// Sets an output to the rows at these positions.
pub(crate) fn pick_rows(out: OutputSlot<'_>, at: Coordinates<'_>, positions: &[usize]) -> Result<()> {
    write_rows(out, positions.len(), at.rank, positions.iter().map(|&position| at.row(position)))
}

/// Sets an output to `count` rows of indices.
pub(crate) fn write_rows<'a>(
    mut out: OutputSlot<'_>,
    count: usize,
    rank: usize,
    rows: impl Iterator<Item = &'a [i64]>,
) -> Result<()> {
    let out = out.allocate([count, rank])?.as_mut_slice::<i64>()?;
    if rank > 0 {
        out.chunks_exact_mut(rank).zip(rows).for_each(|(out, row)| out.copy_from_slice(row));
    }
    Ok(())
}

/// A vector with room for so many rows of indices.
pub(crate) fn rows_vec(count: usize, rank: usize) -> Result<Vec<i64>> {
    match count.checked_mul(rank) {
        Some(elements) => try_vec(elements),
        None => Err(Error::resource_exhausted(format!("{count} rows of {rank} indices are too many"))),
    }
}

/// The extents as a vector of int64.
pub(crate) fn shape_tensor(shape: &[usize]) -> Tensor {
    shape.iter().map(|&dim| dim as i64).collect::<Vec<i64>>().into()
}
