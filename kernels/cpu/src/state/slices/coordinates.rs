//! The loop over slices of a variable at coordinates.

use std::sync::Arc;

use oplink::Variable;
use oplink::prelude::*;

use super::rows::pass_reference;
use crate::array::scatter::engine::Scatter;
use crate::support::movement::{Cell, CellJob, with_cells};

/// Calls `combine` with each element of the slices of the variable in input 0 at the coordinates in input 1, and with that
/// of the updates in input 2. Where coordinates do not exist, nothing is changed.
pub(super) fn combine_slices<T: Element>(context: &mut KernelContext<'_>, combine: impl Fn(&mut T, &T)) -> Result<()> {
    change(context, |value, scatter, updates| {
        scatter.run(value.as_mut_slice::<T>()?, updates.as_slice::<T>()?, combine);
        Ok(())
    })
}

/// Replaces slices of the variable in input 0 by those of the updates.
pub(super) fn replace_slices(context: &mut KernelContext<'_>) -> Result<()> {
    change(context, |values, scatter, updates| with_cells(values.dtype(), Replace { values, scatter, updates }))
}

fn change(
    context: &mut KernelContext<'_>,
    change: impl FnOnce(&mut Tensor, &Scatter, &Tensor) -> Result<()>,
) -> Result<()> {
    let variable: Arc<Variable> = context.resource(0)?;
    let mut guard = variable.lock();
    let (dtype, updates) = (guard.value()?.dtype(), context.input(2));
    ensure!(dtype == updates.dtype(), "the variable holds {dtype}, the updates {}", updates.dtype());
    let scatter = Scatter::new(context, guard.value()?.shape(), &slice_coordinates(context.input(1))?, updates)?;
    change(guard.value_mut(context.env())?, &scatter, updates)?;
    drop(guard);
    pass_reference(context);
    Ok(())
}

/// The coordinates in `indices`, of which a vector holds one for each slice.
///
/// # Errors
/// None.
pub fn slice_coordinates(indices: &Tensor) -> Result<Tensor> {
    let count = indices.num_elements();
    if indices.rank() == 1 { indices.clone().with_shape([count, 1]) } else { Ok(indices.clone()) }
}

struct Replace<'a> {
    values: &'a mut Tensor,
    scatter: &'a Scatter,
    updates: &'a Tensor,
}

impl CellJob for Replace<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let updates = C::of(self.updates)?;
        self.scatter.run(C::of_mut(self.values)?, updates, C::clone_from);
        Ok(())
    }
}
