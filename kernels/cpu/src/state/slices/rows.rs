//! The loop over rows of a variable that ops on indices share.

use std::sync::Arc;

use oplink::int_values;
use oplink::prelude::*;
use oplink::{Variable, VariableGuard};

use crate::support::elementwise::Lanes;
use crate::support::movement::{Cell, CellJob, with_cells};

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

/// Which rows of a variable are changed, and by what.
struct Rows<'a> {
    /// The number of each row, in the order of the updates.
    rows: Vec<usize>,
    /// Elements of a row.
    width: usize,
    updates: &'a Tensor,
}

impl<'a> Rows<'a> {
    /// The rows that input 1 names, for updates in input 2: a row for each index, or a scalar for all elements.
    fn of(context: &'a KernelContext<'_>, variable: &VariableGuard<'_>) -> Result<Self> {
        let (indices, updates) = (context.input(1), context.input(2));
        let value = variable.value()?;
        let (count, width) = rows_of(value, indices.shape(), updates)?;
        let row_of = |(at, index): (usize, i64)| match usize::try_from(index) {
            Ok(index) if index < count => Ok(index),
            _ => bail!("indices[{at}] = {index} is not in [0, {count}), the rows of the variable"),
        };
        let rows = int_values(indices)?.into_iter().enumerate().map(row_of).collect::<Result<_>>()?;
        Ok(Self { rows, width, updates })
    }

    /// Calls `combine` with each element of the rows and its update.
    fn run<C>(&self, values: &mut [C], updates: &[C], combine: impl Fn(&mut C, &C)) {
        let one = self.updates.rank() == 0;
        for (at, row) in self.rows.iter().enumerate() {
            let values = &mut values[row * self.width..][..self.width];
            if one {
                values.iter_mut().for_each(|value| combine(value, &updates[0]));
            } else {
                let updates = &updates[at * self.width..][..self.width];
                values.iter_mut().zip(updates).for_each(|(value, update)| combine(value, update));
            }
        }
    }
}

/// Replaces the elements of some rows of the variable in input 0 by `combine` of them and of their updates. A row named
/// several times is changed as often, in this order; where one does not exist, none is changed.
pub(super) fn combine_rows<T: Lanes>(
    context: &mut KernelContext<'_>,
    combine: impl Fn(T::Lane, T::Lane) -> T::Lane,
) -> Result<()> {
    let variable: Arc<Variable> = context.resource(0)?;
    let mut guard = variable.lock();
    let rows = Rows::of(context, &guard)?;
    let values = guard.value_mut(context.env())?.as_mut_slice::<T>()?;
    rows.run(values, rows.updates.as_slice::<T>()?, |value, update| {
        *value = T::from_lane(combine(value.to_lane(), update.to_lane()));
    });
    drop(guard);
    pass_reference(context);
    Ok(())
}

/// Replaces some rows of the variable in input 0 by their updates.
pub(super) fn replace_rows(context: &mut KernelContext<'_>) -> Result<()> {
    let variable: Arc<Variable> = context.resource(0)?;
    let mut guard = variable.lock();
    let rows = Rows::of(context, &guard)?;
    let values = guard.value_mut(context.env())?;
    with_cells(values.dtype(), Replace { values, rows: &rows })?;
    drop(guard);
    pass_reference(context);
    Ok(())
}

struct Replace<'a> {
    values: &'a mut Tensor,
    rows: &'a Rows<'a>,
}

impl CellJob for Replace<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let updates = C::of(self.rows.updates)?;
        self.rows.run(C::of_mut(self.values)?, updates, C::clone_from);
        Ok(())
    }
}

/// Sets output 0, where there is one, to the reference in input 0.
pub(super) fn pass_reference(context: &mut KernelContext<'_>) {
    if context.num_outputs() > 0 {
        let reference = context.input(0).clone();
        context.set_output(0, reference);
    }
}
