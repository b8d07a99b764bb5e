//! Functions of one tensor.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::operand::{map_lanes, map_lanes_in_place, set_scalar};
use super::{COSTLY_GRAIN, FloatLane, GRAIN, Lanes};
use crate::parallel::for_each_chunk;
use oplink_vmath::loops::{MathFunction, map};

/// An innermost loop: reads the input, writes the output of the same length.
pub type UnaryLoop<'a, T, U> = dyn Fn(&[T], &mut [U]) + Sync + 'a;

/// Sets output 0 to `f` of each element of input 0, in the input's memory where nobody else needs it.
#[inline]
pub fn unary<T: Lanes>(context: &mut KernelContext<'_>, f: impl Fn(T::Lane) -> T::Lane + Copy + Sync) -> Result<()> {
    if context.input(0).rank() == 0 {
        let value = context.input(0).to_scalar::<T>()?;
        return set_scalar(context, &[0], T::from_lane(f(value.to_lane())));
    }
    unary_loops::<T>(context, GRAIN, &move |input, output| map(input, output, f))
}

/// Sets output 0, whose dtype may be another one, to `f` of each element of input 0.
#[inline]
pub fn unary_into<T: Lanes, U: Lanes>(
    context: &mut KernelContext<'_>,
    f: impl Fn(T::Lane) -> U::Lane + Copy + Sync,
) -> Result<()> {
    if context.input(0).rank() == 0 {
        let value = context.input(0).to_scalar::<T>()?;
        context.set_scalar(0, U::from_lane(f(value.to_lane())));
        return Ok(());
    }
    unary_loops_into::<T, U>(context, &move |input, output| map(input, output, f))
}

/// Sets output 0 to the function `F` of each element of input 0, a floating-point tensor.
pub fn unary_function<T: Lanes<Lane: FloatLane>, F: MathFunction>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_loops::<T>(context, COSTLY_GRAIN, &T::Lane::map_function::<F>)
}

/// Sets output 0 to what `loops` writes for the lanes of input 0: it gets input and output slices of one length, for
/// parts of the tensor in any order, each at least `grain` long if there is more than one.
pub fn unary_loops<T: Lanes>(
    context: &mut KernelContext<'_>,
    grain: usize,
    loops: &UnaryLoop<'_, T::Lane, T::Lane>,
) -> Result<()> {
    let shape = context.input(0).shape().clone();
    let (taken, mut output) = context.forward_or_allocate(&[0], 0, &shape)?;
    let values = output.as_mut_slice::<T>()?;
    if taken.is_some() {
        for_each_chunk(context.env(), values, grain, 1, &|_, part| map_lanes_in_place(part, loops));
    } else {
        let input = context.input(0).as_slice::<T>()?;
        for_each_chunk(context.env(), values, grain, 1, &|start, part| {
            map_lanes(&input[start..start + part.len()], part, loops);
        });
    }
    context.set_output(0, output);
    Ok(())
}

/// As [`unary_loops`] with an output of any dtype in memory of its own.
pub fn unary_loops_into<T: Lanes, U: Lanes>(
    context: &mut KernelContext<'_>,
    loops: &UnaryLoop<'_, T::Lane, U::Lane>,
) -> Result<()> {
    let mut output = context.allocate_output(0, context.input(0).shape().clone())?;
    map_tensor::<T, U>(context.env(), context.input(0), &mut output, loops)?;
    context.set_output(0, output);
    Ok(())
}

/// Lets `loops` write the lanes of `output` for those of `input`, which has as many elements; parts as in
/// [`unary_loops`].
pub fn map_tensor<T: Lanes, U: Lanes>(
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
