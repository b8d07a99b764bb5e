//! Functions of one tensor.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::operand::{map_computed, map_computed_in_place, set_scalar};
use super::{Computed, GRAIN};
use crate::parallel::for_each_chunk;
use oplink_vmath::loops::map;

/// An innermost loop: reads the input, writes the output of the same length.
pub type UnaryLoop<'a, T, U> = dyn Fn(&[T], &mut [U]) + Sync + 'a;

/// Sets `y` to `f` of each element of `x`, in the memory of `x` where nobody else needs it.
#[inline]
pub fn unary<T: Computed>(
    x: Input<'_>,
    mut y: OutputSlot<'_>,
    env: Env<'_>,
    f: impl Fn(T::ComputeType) -> T::ComputeType + Copy + Sync,
) -> Result<()> {
    if x.rank() == 0 {
        let value = x.to_scalar::<T>()?;
        return set_scalar([x], &mut y, T::from_computed(f(value.to_computed())));
    }
    unary_loops::<T>(x, y, env, &move |input, output| map(input, output, f))
}

/// Sets `y` to what `loops` writes for `x` in its compute type: it gets input and output slices of one length, for
/// parts of the tensor in any order.
fn unary_loops<T: Computed>(
    x: Input<'_>,
    mut y: OutputSlot<'_>,
    env: Env<'_>,
    loops: &UnaryLoop<'_, T::ComputeType, T::ComputeType>,
) -> Result<()> {
    let shape = x.shape().clone();
    match y.forward(x, &shape)? {
        (output, Some(x)) => map_tensor::<T, T>(env.env(), &x, output, loops),
        (output, None) => {
            let values = output.as_mut_slice::<T>()?;
            for_each_chunk(env.env(), values, GRAIN, 1, &|_, part| map_computed_in_place(part, loops));
            Ok(())
        }
    }
}

/// Lets `loops` write `output` for `input`, which has as many elements, both in their compute types; it gets slices of
/// one length, for parts of the tensors in any order.
fn map_tensor<T: Computed, U: Computed>(
    env: &dyn KernelEnv,
    input: &Tensor,
    output: &mut Tensor,
    loops: &UnaryLoop<'_, T::ComputeType, U::ComputeType>,
) -> Result<()> {
    let input = input.as_slice::<T>()?;
    for_each_chunk(env, output.as_mut_slice::<U>()?, GRAIN, 1, &|start, part| {
        map_computed(&input[start..start + part.len()], part, loops);
    });
    Ok(())
}
