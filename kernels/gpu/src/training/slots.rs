//! What all optimisers share: the variables, locked and in memory of their own, and one launch over their elements.

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink::resource::VariableGuard;
use oplink_ops::training::Slots;

/// What an optimiser's program is launched on.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) device: &'a dyn DeviceContext,
    pub(super) dtype: DType,
    /// Elements of the variable.
    pub(super) count: usize,
}

/// Launches a program that updates variables of one shape by a gradient of that shape, in place where no snapshot of
/// them is left. The scalars are in the device's memory.
///
/// # Errors
/// The shapes or dtypes do not fit, or what `launch` returns.
pub(super) fn apply<'c, const N: usize, const S: usize>(
    variables: [&Input<'c>; N],
    scalars: [&Input<'c>; S],
    gradient: &Tensor,
    env: Env<'_>,
    launch: impl FnOnce(Place<'_>, [&Tensor; N]) -> Result<()>,
) -> Result<()> {
    check_scalars(&scalars)?;
    let slots = Slots::of(variables)?;
    let mut guards = slots.lock(gradient.dtype())?;
    let shape = guards[0].value()?.shape();
    ensure!(
        shape == gradient.shape(),
        "the variable has the shape {shape}, its gradient {}; they must be equal",
        gradient.shape()
    );
    if gradient.num_elements() == 0 {
        return Ok(());
    }
    let place = Place { device: env.device()?, dtype: gradient.dtype(), count: gradient.num_elements() };
    launch(place, writable(&mut guards, env)?)
}

/// Fails unless each input is a scalar.
pub(super) fn check_scalars(scalars: &[&Input<'_>]) -> Result<()> {
    for scalar in scalars {
        ensure!(scalar.rank() == 0, "`{}` must be a scalar, it has shape {}", scalar.name(), scalar.shape());
    }
    Ok(())
}

/// The values of locked variables, in memory that nobody else sees.
pub(super) fn writable<'a, const N: usize>(
    guards: &'a mut [VariableGuard<'_>; N],
    env: Env<'_>,
) -> Result<[&'a Tensor; N]> {
    let values = guards.iter_mut().map(|guard| guard.value_mut(&env).map(|value| &*value));
    let values: Result<[&Tensor; N], _> = values.collect::<Result<Vec<_>>>()?.try_into();
    values.map_err(|_| Error::internal("as many values as variables"))
}
