//! Changing a variable element by element.

use oplink::Variable;
use oplink::prelude::*;

use crate::support::elementwise::{Lanes, combine};

/// Replaces each element of the variable in input 0 by `f` of it and the element of input 1, which has the variable's
/// shape. Gives the reference in input 0 on where the op has an output for it.
pub(super) fn update<T: Lanes>(
    context: &mut KernelContext<'_>,
    f: impl Fn(T::Lane, T::Lane) -> T::Lane + Copy,
) -> Result<()> {
    let (variable, value) = (context.resource::<Variable>(0)?, context.input(1));
    let mut guard = variable.lock();
    let target = guard.value()?;
    ensure!(target.dtype() == value.dtype(), "the variable holds {}, the value {}", target.dtype(), value.dtype());
    let (shape, given) = (target.shape(), value.shape());
    ensure!(shape == given, "the variable has the shape {shape}, the value {given}; they must be equal");
    combine(guard.value_mut(context.env())?.as_mut_slice::<T>()?, value.as_slice()?, f);
    drop(guard);
    pass_reference(context);
    Ok(())
}

/// Sets output 0, where there is one, to the reference in input 0.
pub(super) fn pass_reference(context: &mut KernelContext<'_>) {
    if context.num_outputs() > 0 {
        let reference = context.input(0).clone();
        context.set_output(0, reference);
    }
}
