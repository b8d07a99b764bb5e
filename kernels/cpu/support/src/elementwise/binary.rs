//! Functions of two tensors that broadcast against each other.

use oplink::prelude::*;

use super::operand::set_scalar;
use super::walk::{Side, Walk};
use super::{BLOCK, Broadcast, COSTLY_GRAIN, FloatLane, GRAIN, Lanes};
use crate::parallel::for_each_chunk;
use oplink_vmath::loops::{MathFunction2, map, zip};

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

/// Sets output 0 to `f` of the elements of inputs 0 and 1, in the memory of one of them where nobody else needs it.
#[inline]
pub fn binary<T: Lanes>(
    context: &mut KernelContext<'_>,
    f: impl Fn(T::Lane, T::Lane) -> T::Lane + Copy + Sync,
) -> Result<()> {
    if let Some((x, y)) = scalars::<T>(context)? {
        return set_scalar(context, &[0, 1], T::from_lane(f(x, y)));
    }
    binary_loops::<T>(context, GRAIN, &move |operands, output| pair_loop(operands, output, f))
}

/// Sets output 0, whose dtype may be another one, to `f` of the elements of inputs 0 and 1.
#[inline]
pub fn binary_into<T: Lanes, U: Lanes>(
    context: &mut KernelContext<'_>,
    f: impl Fn(T::Lane, T::Lane) -> U::Lane + Copy + Sync,
) -> Result<()> {
    if let Some((x, y)) = scalars::<T>(context)? {
        context.set_scalar(0, U::from_lane(f(x, y)));
        return Ok(());
    }
    binary_loops_into::<T, U>(context, GRAIN, &move |operands, output| pair_loop(operands, output, f))
}

/// Sets output 0 to `f` of the elements of inputs 0 and 1, which have one number of elements; the output takes the shape
/// of input 0.
pub fn same_size_binary<T: Lanes>(
    context: &mut KernelContext<'_>,
    f: impl Fn(T::Lane, T::Lane) -> T::Lane + Copy + Sync,
) -> Result<()> {
    same_size_loops::<T>(context, &move |operands, output| pair_loop(operands, output, f))
}

fn same_size_loops<T: Lanes>(context: &mut KernelContext<'_>, loops: &PairLoop<'_, T::Lane, T::Lane>) -> Result<()> {
    let (x, y) = (context.input(0), context.input(1));
    ensure!(
        x.num_elements() == y.num_elements(),
        "The two arguments to a cwise op must have same number of elements, got {} and {}",
        x.num_elements(),
        y.num_elements()
    );
    let broadcast = Broadcast::new([x.shape(), x.shape()])?;
    broadcast_loops::<T>(context, &broadcast, GRAIN, loops)
}

/// The innermost loop of a function of two elements.
#[inline]
pub fn pair_loop<T: Copy, U>(operands: Pair<'_, T>, output: &mut [U], f: impl Fn(T, T) -> U + Copy) {
    match operands {
        Pair::Both(x, y) => zip(x, y, output, f),
        Pair::Left(x, y) => map(y, output, move |y| f(x, y)),
        Pair::Right(x, y) => map(x, output, move |x| f(x, y)),
    }
}

/// Sets output 0 to the function `F` of the elements of inputs 0 and 1, floating-point tensors.
pub fn binary_function<T: Lanes<Lane: FloatLane>, F: MathFunction2>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_loops::<T>(context, COSTLY_GRAIN, &|operands, output| match operands {
        Pair::Both(x, y) => T::Lane::zip_function::<F>(x, y, output),
        Pair::Left(x, y) => {
            let left = [x; BLOCK];
            for (y, output) in y.chunks(BLOCK).zip(output.chunks_mut(BLOCK)) {
                T::Lane::zip_function::<F>(&left[..y.len()], y, output);
            }
        }
        Pair::Right(x, y) => {
            let right = [y; BLOCK];
            for (x, output) in x.chunks(BLOCK).zip(output.chunks_mut(BLOCK)) {
                T::Lane::zip_function::<F>(x, &right[..x.len()], output);
            }
        }
    })
}

#[inline]
fn scalars<T: Lanes>(context: &KernelContext<'_>) -> Result<Option<(T::Lane, T::Lane)>> {
    let (x, y) = (context.input(0), context.input(1));
    if x.rank() > 0 || y.rank() > 0 {
        return Ok(None);
    }
    Ok(Some((x.to_scalar::<T>()?.to_lane(), y.to_scalar::<T>()?.to_lane())))
}

/// Sets output 0 to what `loops` writes for the lanes of inputs 0 and 1, for parts of the output in any order, each at
/// least `grain` long if there is more than one and no dimension is repeated.
pub fn binary_loops<T: Lanes>(
    context: &mut KernelContext<'_>,
    grain: usize,
    loops: &PairLoop<'_, T::Lane, T::Lane>,
) -> Result<()> {
    let broadcast = Broadcast::new([context.input(0).shape(), context.input(1).shape()])?;
    broadcast_loops::<T>(context, &broadcast, grain, loops)
}

fn broadcast_loops<T: Lanes>(
    context: &mut KernelContext<'_>,
    broadcast: &Broadcast,
    grain: usize,
    loops: &PairLoop<'_, T::Lane, T::Lane>,
) -> Result<()> {
    let (taken, mut output) = context.forward_or_allocate(&[0, 1], 0, &broadcast.shape)?;
    let side =
        |i| if taken == Some(i) { Ok(Side::<T>::Output) } else { context.input(i).as_slice().map(Side::Elements) };
    let walk = Walk { broadcast, sides: [side(0)?, side(1)?], read_output: T::widen, loops };
    for_each_chunk(context.env(), output.as_mut_slice::<T>()?, grain, 1, &|start, part| walk.run(start, part));
    context.set_output(0, output);
    Ok(())
}

/// As [`binary_loops`] with an output of any dtype in memory of its own.
pub fn binary_loops_into<T: Lanes, U: Lanes>(
    context: &mut KernelContext<'_>,
    grain: usize,
    loops: &PairLoop<'_, T::Lane, U::Lane>,
) -> Result<()> {
    let broadcast = Broadcast::new([context.input(0).shape(), context.input(1).shape()])?;
    let mut output = context.allocate_output(0, broadcast.shape.clone())?;
    let side = |i| context.input(i).as_slice::<T>().map(Side::Elements);
    let walk = Walk { broadcast: &broadcast, sides: [side(0)?, side(1)?], read_output: |_, _| (), loops };
    for_each_chunk(context.env(), output.as_mut_slice::<U>()?, grain, 1, &|start, part| walk.run(start, part));
    context.set_output(0, output);
    Ok(())
}
