//! Updates of some rows of variables.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::resource::VariableGuard;
use oplink::shape_inference::int_values;
use oplink_ops::training::row_length;

use super::update::{BlockStep, MAX_SLOTS, writable};

/// Applies `step` to the rows of the variables that the vector `indices` lists, with a row of the gradient for each. A
/// row that is listed several times is updated as often, in this order. Where a row does not exist, none is updated.
pub(super) fn update_rows<T: Element>(
    guards: &mut [VariableGuard<'_>],
    (gradient, indices): (&Tensor, &Tensor),
    env: &Env<'_>,
    step: &BlockStep<'_, T>,
) -> Result<()> {
    let (rows, length) = rows(guards[0].value()?.shape(), gradient.shape(), indices)?;
    let values = gradient.as_slice::<T>()?;
    let mut slices = writable::<T>(guards, env)?;
    let count = slices.len();
    for (at, &row) in rows.iter().enumerate() {
        let mut parts: [&mut [T]; MAX_SLOTS] = [&mut [], &mut [], &mut [], &mut []];
        for (part, slice) in parts.iter_mut().zip(&mut slices) {
            *part = &mut slice[row * length..][..length];
        }
        step(&mut parts[..count], &values[at * length..][..length]);
    }
    Ok(())
}

/// The indices of the rows, one for each row of the gradient, and the elements of a row.
fn rows(variable: &Shape, gradient: &Shape, indices: &Tensor) -> Result<(Vec<usize>, usize)> {
    let length = row_length(variable, gradient, indices.shape())?;
    let mut rows = try_vec(indices.num_elements())?;
    for (at, row) in int_values(indices)?.into_iter().enumerate() {
        match usize::try_from(row) {
            Ok(row) if row < variable[0] => rows.push(row),
            _ => bail!("indices[{at}] = {row} is not in [0, {}), the rows of the variable", variable[0]),
        }
    }
    Ok((rows, length))
}
