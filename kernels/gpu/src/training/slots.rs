//! What all optimisers share: the variables, locked and in memory of their own, and one launch over their elements.

use oplink::prelude::*;
use oplink::{DeviceContext, ensure};
use oplink_cpu_training::slots::Slots;

/// What an optimiser's program is launched on.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) device: &'a dyn DeviceContext,
    pub(super) dtype: DType,
    /// Elements of the variable.
    pub(super) count: usize,
}

/// Launches a program that updates the variables in the first `N` inputs by the gradient in input `gradient`, in place where
/// no snapshot of them is left. All have one shape; the other inputs are scalars in the device's memory.
///
/// # Errors
/// The shapes or dtypes do not fit, or what `launch` returns.
pub(super) fn apply<const N: usize>(
    context: &KernelContext<'_>,
    gradient: usize,
    launch: impl FnOnce(Place<'_>, [&Tensor; N]) -> Result<()>,
) -> Result<()> {
    for index in (N..context.num_inputs()).filter(|&index| index != gradient) {
        let (name, shape) = (&context.node().op.inputs[index].name, context.input(index).shape());
        ensure!(shape.rank() == 0, "`{name}` must be a scalar, it has shape {shape}");
    }
    let (gradient, slots) = (context.input(gradient), Slots::<N>::of(context)?);
    let mut guards = slots.lock(context, gradient.dtype())?;
    let shape = guards[0].value()?.shape();
    ensure!(
        shape == gradient.shape(),
        "the variable has the shape {shape}, its gradient {}; they must be equal",
        gradient.shape()
    );
    if gradient.num_elements() == 0 {
        return Ok(());
    }
    let values = guards.iter_mut().map(|guard| guard.value_mut(context.env()).map(|value| &*value));
    let values: Result<[&Tensor; N], _> = values.collect::<Result<Vec<_>>>()?.try_into();
    let values = values.map_err(|_| Error::internal("as many values as variables"))?;
    let place = Place { device: context.device()?, dtype: gradient.dtype(), count: gradient.num_elements() };
    launch(place, values)
}
