//! Updates of some rows of variables.

use oplink::int_values;
use oplink::prelude::*;

use super::dense::run;
use super::slots::{Slots, pass_reference, writable};

/// As [`super::dense::apply`], for the rows that the vector in input `indices` names, with a row of the gradient for each.
/// A row that is named several times is updated as often, in this order. Where a row does not exist, none is updated.
pub(super) fn apply_rows<T: Number, const N: usize>(
    context: &mut KernelContext<'_>,
    gradient: usize,
    indices: usize,
    step: impl Fn([T; N], T) -> [T; N],
) -> Result<()> {
    let slots = Slots::<N>::of(context)?;
    let mut guards = slots.lock(context, T::DTYPE)?;
    let shape = guards[0].value()?.shape().clone();
    let (rows, length) = rows(context, &shape, gradient, indices)?;
    let values = context.input(gradient).as_slice::<T>()?;
    let mut slices = writable::<T, N>(&mut guards, context)?;
    for (at, &row) in rows.iter().enumerate() {
        let part = slices.each_mut().map(|slice| &mut slice[row * length..][..length]);
        run(part, &values[at * length..][..length], &step);
    }
    drop(guards);
    pass_reference(context);
    Ok(())
}

/// The numbers of the rows, one for each row of the gradient, and the elements of a row.
fn rows(context: &KernelContext<'_>, variable: &Shape, gradient: usize, indices: usize) -> Result<(Vec<usize>, usize)> {
    let (gradient, indices) = (context.input(gradient).shape(), context.input(indices));
    let length = row_length(variable, gradient, indices.shape())?;
    let row = |(at, row): (usize, i64)| match usize::try_from(row) {
        Ok(row) if row < variable[0] => Ok(row),
        _ => bail!("indices[{at}] = {row} is not in [0, {}), the rows of the variable", variable[0]),
    };
    Ok((int_values(indices)?.into_iter().enumerate().map(row).collect::<Result<_>>()?, length))
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
