//! Functions of one tensor.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::operand::{map_lanes, map_lanes_in_place, set_scalar};
use super::{GRAIN, Lanes};
use crate::parallel::for_each_chunk;
use oplink_vmath::loops::map;

/// An innermost loop: reads the input, writes the output of the same length.
pub type UnaryLoop<'a, T, U> = dyn Fn(&[T], &mut [U]) + Sync + 'a;

/// Sets `y` to `f` of each element of `x`, in the memory of `x` where nobody else needs it.
#[inline]
pub fn unary<T: Lanes>(
    x: Input<'_>,
    mut y: OutputSlot<'_>,
    env: Env<'_>,
    f: impl Fn(T::Lane) -> T::Lane + Copy + Sync,
) -> Result<()> {
    if x.rank() == 0 {
        let value = x.to_scalar::<T>()?;
        return set_scalar([x], &mut y, T::from_lane(f(value.to_lane())));
    }
    unary_loops::<T>(x, y, env, &move |input, output| map(input, output, f))
}

/// Sets `y` to what `loops` writes for the lanes of `x`: it gets input and output slices of one length, for parts of the
/// tensor in any order.
fn unary_loops<T: Lanes>(
    x: Input<'_>,
    mut y: OutputSlot<'_>,
    env: Env<'_>,
    loops: &UnaryLoop<'_, T::Lane, T::Lane>,
) -> Result<()> {
    let shape = x.shape().clone();
    match y.forward(x, &shape)? {
        (output, Some(x)) => map_tensor::<T, T>(env.env(), &x, output, loops),
        (output, None) => {
            let values = output.as_mut_slice::<T>()?;
            for_each_chunk(env.env(), values, GRAIN, 1, &|_, part| map_lanes_in_place(part, loops));
            Ok(())
        }
    }
}

/// Lets `loops` write the lanes of `output` for those of `input`, which has as many elements; it gets slices of one length,
/// for parts of the tensors in any order.
fn map_tensor<T: Lanes, U: Lanes>(
    env: &dyn KernelEnv,
    input: &Tensor,
    output: &mut Tensor,
    loops: &UnaryLoop<'_, T::Lane, U::Lane>,
) -> Result<()> {
    let input = input.as_slice::<T>()?;
    for_each_chunk(env, output.as_mut_slice::<U>()?, GRAIN, 1, &|start, part| {
        map_lanes(&input[start..start + part.len()], part, loops);
    });
    Ok(())
}
