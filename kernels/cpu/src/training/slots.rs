//! The variables that an optimiser's op works on: the one to train and those that remember.

use std::array;
use std::sync::Arc;

use oplink::prelude::*;
use oplink::{Variable, VariableGuard};

/// The first `N` inputs of the op.
#[derive(Debug)]
pub struct Slots<const N: usize>([Arc<Variable>; N]);

/// The values of [`Slots`], while nobody else can change them.
pub type Locked<'a, const N: usize> = [VariableGuard<'a>; N];

impl<const N: usize> Slots<N> {
    /// The variables behind the first `N` inputs.
    ///
    /// # Errors
    /// One of them does not exist.
    pub fn of(context: &KernelContext<'_>) -> Result<Self> {
        let name = |index: usize| &context.node().op.inputs[index].name;
        let find = |index| context.resource(index).map_err(|error| error.context(format!("input `{}`", name(index))));
        let found = (0..N).map(find).collect::<Result<Vec<_>>>()?;
        let found: Result<[_; N], _> = found.try_into();
        found.map(Self).map_err(|_| Error::internal("the op has fewer variables"))
    }

    /// Locks them together. Their values are there, of this dtype, and of one shape.
    ///
    /// # Errors
    /// They are not.
    pub fn lock(&self, context: &KernelContext<'_>, dtype: DType) -> Result<Locked<'_, N>> {
        let guards = Variable::lock_all(array::from_fn(|index| &*self.0[index]))?;
        for (index, guard) in guards.iter().enumerate() {
            let name = &context.node().op.inputs[index].name;
            let value = guard.value().map_err(|error| error.context(format!("input `{name}`")))?;
            ensure!(value.dtype() == dtype, "variable `{name}` holds {}, not {dtype}", value.dtype());
            let (shape, first) = (value.shape(), guards[0].value()?.shape());
            ensure!(shape == first, "variable `{name}` has the shape {shape}, the one to train {first}");
        }
        Ok(guards)
    }
}

/// The elements of locked variables, in memory of their own.
pub(super) fn writable<'a, T: Element, const N: usize>(
    guards: &'a mut Locked<'_, N>,
    context: &KernelContext<'_>,
) -> Result<[&'a mut [T]; N]> {
    let slices = guards.iter_mut().map(|guard| guard.value_mut(context.env())?.as_mut_slice());
    let slices = slices.collect::<Result<Vec<_>>>()?;
    slices.try_into().map_err(|_| Error::internal("as many slices as variables"))
}

/// The scalar inputs from position `first` on.
pub(super) fn scalars<T: Element + Copy, const N: usize>(context: &KernelContext<'_>, first: usize) -> Result<[T; N]> {
    let mut values = [T::default(); N];
    for (index, value) in (first..).zip(&mut values) {
        *value = scalar(context, index)?;
    }
    Ok(values)
}

/// A scalar input.
pub(super) fn scalar<T: Element + Copy>(context: &KernelContext<'_>, index: usize) -> Result<T> {
    let (input, name) = (context.input(index), &context.node().op.inputs[index].name);
    ensure!(input.rank() == 0, "`{name}` must be a scalar, it has shape {}", input.shape());
    input.to_scalar()
}

/// Gives the reference in input 0 on where the op has an output for it.
pub(super) fn pass_reference(context: &mut KernelContext<'_>) {
    if context.num_outputs() > 0 {
        let reference = context.input(0).clone();
        context.set_output(0, reference);
    }
}
