//! What `ArgMax` and `ArgMin` share: the position of the first element along an axis that wins over all others.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

use super::axis::AxisLayout;
use super::strands::{WAYS, fold_strands};
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::for_each_chunk;

/// Input elements that one thread should at least have.
const TASK_COST: usize = 1 << 16;
/// Elements that are compared before their positions are looked at.
const BLOCK: usize = 512;

/// An element with an order and ends.
pub trait Ordinal: Computed<ComputeType: PartialOrd> {
    /// The lowest finite value.
    const LOWEST: Self;
    /// The highest finite value.
    const HIGHEST: Self;
}

/// A dtype that positions are given in.
pub(super) trait Position: Element + Copy {
    /// The largest position that it holds.
    const LARGEST: usize;
    /// The position, wrapped.
    fn from_usize(position: usize) -> Self;
}

macro_rules! ordinals {
    ($($ty:ty),*) => {$(
        impl Ordinal for $ty {
            const LOWEST: Self = <$ty>::MIN;
            const HIGHEST: Self = <$ty>::MAX;
        }
    )*};
}

macro_rules! positions {
    ($($ty:ty),*) => {$(
        impl Position for $ty {
            const LARGEST: usize = <$ty>::MAX as usize;
            #[inline]
            fn from_usize(position: usize) -> Self { position as Self }
        }
    )*};
}

ordinals!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, f16, bf16);
positions!(i16, u16, i32, i64);

impl Ordinal for bool {
    const LOWEST: Self = false;
    const HIGHEST: Self = true;
}

/// Sets the output to the positions, along the axis `dimension`, of the elements of `input` that win over all others; 0
/// where none wins over `worst`.
///
/// # Errors
/// The axis is no scalar, does not exist, or is empty.
pub(super) fn arg_extremum<T: Ordinal>(
    input: &Tensor,
    dimension: &Tensor,
    (worst, wins): (T, impl Fn(T::ComputeType, T::ComputeType) -> bool + Copy + Sync),
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    ensure!(dimension.rank() == 0, "dimension must be a scalar, its shape is {}", dimension.shape());
    let layout =
        AxisLayout::new(input.shape(), int_values(dimension)?[0]).map_err(|e| e.context("reading dimension"))?;
    let mut shape = input.shape().to_vec();
    shape.remove(layout.axis);
    let output = output.allocate(shape)?;
    ensure!(
        layout.extent > 0,
        "axis {} of the input of shape {} is empty, so it has no largest or smallest element",
        layout.axis,
        input.shape()
    );
    let (input, worst) = (input.as_slice::<T>()?, worst.to_computed());
    let find = |start: usize, positions: &mut [usize]| {
        layout.each_run(start, positions.len(), |at, first, count| {
            let (input, positions) = (&input[first..], &mut positions[at..at + count]);
            if layout.inner == 1 {
                positions[0] = in_row(&input[..layout.extent], worst, wins, env);
            } else {
                in_columns(input, &layout, worst, wins, positions);
            }
        });
    };
    match output.dtype() {
        DType::Int16 => write::<i16>(output, layout.extent, env, &find),
        DType::UInt16 => write::<u16>(output, layout.extent, env, &find),
        DType::Int32 => write::<i32>(output, layout.extent, env, &find),
        _ => write::<i64>(output, layout.extent, env, &find),
    }
}

/// Finds the positions for the outputs from one on, [`BLOCK`] at most.
type Find<'a> = dyn Fn(usize, &mut [usize]) + Sync + 'a;

/// Writes the positions along an axis of this extent.
fn write<U: Position>(output: &mut Tensor, extent: usize, env: &Env<'_>, find: &Find<'_>) -> Result<()> {
    let out = output.as_mut_slice::<U>()?;
    for_each_chunk(env, out, TASK_COST.div_ceil(extent), 1, &|start, part| {
        let mut positions = [0; BLOCK];
        for (block, out) in part.chunks_mut(BLOCK).enumerate() {
            let positions = &mut positions[..out.len()];
            find(start + block * BLOCK, positions);
            for (out, &position) in out.iter_mut().zip(&*positions) {
                *out = U::from_usize(position);
            }
        }
    });
    Ok(())
}

/// The position of the first winner of elements side by side.
fn in_row<T: Ordinal>(
    row: &[T],
    worst: T::ComputeType,
    wins: impl Fn(T::ComputeType, T::ComputeType) -> bool + Copy,
    env: &Env<'_>,
) -> usize {
    let mut best = (worst, 0);
    if let Some(computed) = T::computed(row) {
        for (index, block) in env.watch(computed.chunks(BLOCK)).enumerate() {
            best = in_block(block, index * BLOCK, best, wins);
        }
    } else {
        let mut computed = [T::ComputeType::default(); BLOCK];
        for (index, block) in env.watch(row.chunks(BLOCK)).enumerate() {
            let computed = &mut computed[..block.len()];
            T::widen(block, computed);
            best = in_block(computed, index * BLOCK, best, wins);
        }
    }
    best.1
}

/// The winner of a block that starts at position `start` if it wins over `best`, otherwise `best`.
fn in_block<L: Copy + PartialOrd>(
    block: &[L],
    start: usize,
    best: (L, usize),
    wins: impl Fn(L, L) -> bool + Copy,
) -> (L, usize) {
    let winner = |a: L, b: L| if wins(b, a) { b } else { a };
    let (strands, rest) = block.as_chunks::<WAYS>();
    let mut top = rest.iter().copied().fold(best.0, winner);
    if !strands.is_empty() {
        let mut tops = [best.0; WAYS];
        fold_strands(strands, &mut tops, winner);
        top = tops.into_iter().fold(top, winner);
    }
    if !wins(top, best.0) {
        return best;
    }
    let holds = |group: &[L]| group.iter().filter(|&&value| value == top).count() > 0;
    let group = block.chunks(WAYS).position(holds).unwrap_or(0) * WAYS;
    let place = block[group..].iter().position(|&value| value == top).unwrap_or(0);
    (top, start + group + place)
}

/// The positions for neighbouring outputs, [`BLOCK`] at most, whose first elements are the first of `input`.
fn in_columns<T: Ordinal>(
    input: &[T],
    layout: &AxisLayout,
    worst: T::ComputeType,
    wins: impl Fn(T::ComputeType, T::ComputeType) -> bool + Copy,
    out: &mut [usize],
) {
    let mut best = [worst; BLOCK];
    let best = &mut best[..out.len()];
    out.fill(0);
    for position in 0..layout.extent {
        let row = &input[position * layout.inner..][..out.len()];
        for ((out, best), &value) in out.iter_mut().zip(&mut *best).zip(row) {
            let value = value.to_computed();
            let better = wins(value, *best);
            *best = if better { value } else { *best };
            *out = if better { position } else { *out };
        }
    }
}
