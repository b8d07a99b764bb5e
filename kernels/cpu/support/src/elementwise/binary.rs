//! Functions of two tensors that broadcast against each other.

use oplink::prelude::*;

use super::operand::set_scalar;
use super::walk::{Side, Walk};
use super::{Broadcast, Computed, GRAIN};
use crate::parallel::for_each_chunk;
use oplink_vmath::loops::{map, zip};

/// The operands of an innermost loop. Slices have the output's length.
#[derive(Debug, Clone, Copy)]
pub enum Pair<'a, T> {
    /// Both sides vary.
    Both(&'a [T], &'a [T]),
    /// The left side is one value.
    Left(T, &'a [T]),
    /// The right side is one value.
    Right(&'a [T], T),
}

/// An innermost loop: reads the operands, writes the output.
pub type PairLoop<'a, T, U> = dyn Fn(Pair<'_, T>, &mut [U]) + Sync + 'a;

/// Sets `z` to `f` of the elements of `x` and `y`, in the memory of one of them where nobody else needs it.
#[inline]
pub fn binary<T: Computed>(
    x: Input<'_>,
    y: Input<'_>,
    mut z: OutputSlot<'_>,
    env: Env<'_>,
    f: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType + Copy + Sync,
) -> Result<()> {
    if let Some((left, right)) = scalars::<T>(&x, &y)? {
        return set_scalar([x, y], &mut z, T::from_computed(f(left, right)));
    }
    binary_loops::<T>([x, y], z, env, &move |operands, output| pair_loop(operands, output, f))
}

/// Sets `z`, whose dtype may be another one, to `f` of the elements of `x` and `y`.
#[inline]
pub fn binary_into<T: Computed, U: Computed>(
    x: &Tensor,
    y: &Tensor,
    mut z: OutputSlot<'_>,
    env: Env<'_>,
    f: impl Fn(T::ComputeType, T::ComputeType) -> U::ComputeType + Copy + Sync,
) -> Result<()> {
    if let Some((x, y)) = scalars::<T>(x, y)? {
        z.set_scalar(U::from_computed(f(x, y)));
        return Ok(());
    }
    binary_loops_into::<T, U>([x, y], z, env, &move |operands, output| pair_loop(operands, output, f))
}

/// The innermost loop of a function of two elements.
#[inline]
fn pair_loop<T: Copy, U>(operands: Pair<'_, T>, output: &mut [U], f: impl Fn(T, T) -> U + Copy) {
    match operands {
        Pair::Both(x, y) => zip(x, y, output, f),
        Pair::Left(x, y) => map(y, output, move |y| f(x, y)),
        Pair::Right(x, y) => map(x, output, move |x| f(x, y)),
    }
}

#[inline]
fn scalars<T: Computed>(x: &Tensor, y: &Tensor) -> Result<Option<(T::ComputeType, T::ComputeType)>> {
    if x.rank() > 0 || y.rank() > 0 {
        return Ok(None);
    }
    Ok(Some((x.to_scalar::<T>()?.to_computed(), y.to_scalar::<T>()?.to_computed())))
}

/// Sets the output to what `loops` writes for the inputs in their compute type, for parts of the output in any order.
fn binary_loops<T: Computed>(
    inputs: [Input<'_>; 2],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
    loops: &PairLoop<'_, T::ComputeType, T::ComputeType>,
) -> Result<()> {
    let broadcast = Broadcast::new([inputs[0].shape(), inputs[1].shape()])?;
    let (output, inputs) = output.forward_or_allocate(inputs, &broadcast.shape)?;
    let sides = [side::<T>(inputs.get(0))?, side(inputs.get(1))?];
    let walk = Walk { broadcast: &broadcast, sides, read_output: T::widen, loops };
    for_each_chunk(env.env(), output.as_mut_slice::<T>()?, GRAIN, 1, &|start, part| walk.run(start, part));
    Ok(())
}

/// Where an operand's elements are; `None` is the one whose memory is the output's.
fn side<T: Computed>(input: Option<&Tensor>) -> Result<Side<'_, T>> {
    match input {
        Some(input) => input.as_slice().map(Side::Elements),
        None => Ok(Side::Output),
    }
}

/// As [`binary_loops`] with an output of any dtype in memory of its own.
fn binary_loops_into<T: Computed, U: Computed>(
    inputs: [&Tensor; 2],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
    loops: &PairLoop<'_, T::ComputeType, U::ComputeType>,
) -> Result<()> {
    let broadcast = Broadcast::new(inputs.map(|input| input.shape().dims()))?;
    let output = output.allocate(broadcast.shape.clone())?;
    let sides = [side::<T>(Some(inputs[0]))?, side(Some(inputs[1]))?];
    let walk = Walk { broadcast: &broadcast, sides, read_output: |_, _| (), loops };
    for_each_chunk(env.env(), output.as_mut_slice::<U>()?, GRAIN, 1, &|start, part| walk.run(start, part));
    Ok(())
}
