//! Updates of some rows of variables.

use oplink::VariableGuard;
use oplink::int_values;
use oplink::prelude::*;

use super::update::{BlockStep, MAX_SLOTS, writable};

/// Applies `step` to the rows of the variables that the vector `indices` lists, with a row of the gradient for each. A row that
/// is listed several times is updated as often, in this order. Where a row does not exist, none is updated.
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
    let mut rows = Vec::with_capacity(indices.num_elements());
    for (at, row) in int_values(indices)?.into_iter().enumerate() {
        match usize::try_from(row) {
            Ok(row) if row < variable[0] => rows.push(row),
            _ => bail!("indices[{at}] = {row} is not in [0, {}), the rows of the variable", variable[0]),
        }
    }
    Ok((rows, length))
}

/// Elements of a row of a variable whose gradient has a row for each of `indices`.
///
/// # Errors
/// The shapes do not fit.
pub fn row_length(variable: &Shape, gradient: &Shape, indices: &Shape) -> Result<usize> {
    ensure!(variable.rank() > 0, "the variable must be at least a vector, it is a scalar");
    ensure!(indices.rank() == 1, "indices must be a vector, it has shape {indices}");
    let fits = gradient.rank() == variable.rank() && gradient[1..] == variable[1..] && gradient[0] == indices[0];
    ensure!(fits, "a gradient of shape {gradient} does not give {} rows of a variable of shape {variable}", indices[0]);
    Ok(variable[1..].iter().product())
}
