//! What `ArgMax` and `ArgMin` share: the position of the first element along an axis that wins over all others.

use oplink::{int_values, prelude::*};

use super::axis::AxisLayout;
use super::strands::{WAYS, fold_strands};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_chunk;

/// Input elements that one thread should at least have.
const TASK_COST: usize = 1 << 16;
/// Elements that are compared before their positions are looked at.
const BLOCK: usize = 512;

/// An element with an order and ends.
pub trait Ordinal: Lanes<Lane: PartialOrd> {
    /// The lowest finite value.
    const LOWEST: Self;
    /// The highest finite value.
    const HIGHEST: Self;
}

/// A dtype that positions are given in.
pub trait Position: Element + Copy {
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

/// Sets output 0 to the positions, along the axis in input 1, of the elements of input 0 that win over all others; 0
/// where none wins over `worst`.
///
/// # Errors
/// The axis is no scalar, does not exist, or is empty.
pub fn arg_extremum<T: Ordinal, U: Position>(
    context: &mut KernelContext<'_>,
    worst: T,
    wins: impl Fn(T::Lane, T::Lane) -> bool + Copy + Sync,
) -> Result<()> {
    let (input, dimension) = (context.input(0), context.input(1));
    ensure!(dimension.rank() == 0, "dimension must be a scalar, its shape is {}", dimension.shape());
    let layout =
        AxisLayout::new(input.shape(), int_values(dimension)?[0]).map_err(|e| e.context("reading dimension"))?;
    let mut shape = input.shape().to_vec();
    shape.remove(layout.axis);
    let mut output = context.allocate_output(0, shape)?;
    ensure!(
        layout.extent > 0,
        "axis {} of the input of shape {} is empty, so it has no largest or smallest element",
        layout.axis,
        input.shape()
    );
    let (input, out) = (input.as_slice::<T>()?, output.as_mut_slice::<U>()?);
    if !out.is_empty() {
        let grain = TASK_COST.div_ceil(layout.extent);
        for_each_chunk(context.env(), out, grain, 1, &|start, part| {
            layout.each_run(start, part.len(), |place, first, count| {
                let (input, out) = (&input[first..], &mut part[place..place + count]);
                if layout.inner == 1 {
                    out[0] = U::from_usize(in_row(&input[..layout.extent], worst.to_lane(), wins));
                } else {
                    in_columns(input, &layout, worst.to_lane(), wins, out);
                }
            });
        });
    }
    context.set_output(0, output);
    Ok(())
}

/// The position of the first winner of elements side by side.
fn in_row<T: Ordinal>(row: &[T], worst: T::Lane, wins: impl Fn(T::Lane, T::Lane) -> bool + Copy) -> usize {
    let mut best = (worst, 0);
    if let Some(lanes) = T::lanes(row) {
        for (index, block) in lanes.chunks(BLOCK).enumerate() {
            best = in_block(block, index * BLOCK, best, wins);
        }
    } else {
        let mut lanes = [T::Lane::default(); BLOCK];
        for (index, block) in row.chunks(BLOCK).enumerate() {
            let lanes = &mut lanes[..block.len()];
            T::widen(block, lanes);
            best = in_block(lanes, index * BLOCK, best, wins);
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

/// The positions for neighbouring outputs, whose first elements are the first of `input`.
fn in_columns<T: Ordinal, U: Position>(
    input: &[T],
    layout: &AxisLayout,
    worst: T::Lane,
    wins: impl Fn(T::Lane, T::Lane) -> bool + Copy,
    out: &mut [U],
) {
    let mut best = [worst; BLOCK];
    out.fill(U::from_usize(0));
    for (tile, out) in out.chunks_mut(BLOCK).enumerate() {
        best[..out.len()].fill(worst);
        for position in 0..layout.extent {
            let row = &input[position * layout.inner + tile * BLOCK..][..out.len()];
            for ((out, best), &value) in out.iter_mut().zip(&mut best).zip(row) {
                let value = value.to_lane();
                let better = wins(value, *best);
                *best = if better { value } else { *best };
                *out = if better { U::from_usize(position) } else { *out };
            }
        }
    }
}
