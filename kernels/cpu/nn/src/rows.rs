//! Softmax arithmetic on rows in their compute type.

use oplink::{KernelEnv, prelude::*};

use oplink_cpu_contraction::computed::change_computed;
use oplink_cpu_contraction::sums::sum_of;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_cpu_support::parallel::for_each_row;
use oplink_vmath::functions;
use oplink_vmath::loops::{MathFunction, change1};

/// Computed that pass through the exponential at a time.
const BLOCK: usize = 256;
/// Numbers that are compared or added side by side.
const STRANDS: usize = 16;
/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 13;

struct Exp;

impl MathFunction for Exp {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        functions::exp::<FUSED>(x)
    }
    fn double(x: f64) -> f64 {
        x.exp()
    }
}

/// The largest number of a row; negative infinity for a row without any.
pub(super) fn largest<L: ComputeFloat>(row: &[L]) -> L {
    let (strands, rest) = row.as_chunks::<STRANDS>();
    let mut tops = [L::LOWEST; STRANDS];
    for strand in strands {
        for (top, &x) in tops.iter_mut().zip(strand) {
            *top = if x > *top { x } else { *top };
        }
    }
    tops.iter().chain(rest).fold(L::LOWEST, |top, &x| if x > top { x } else { top })
}

/// Replaces each value by `exp(value - shift)` and returns the sum of the results.
pub(super) fn exp_shifted<L: ComputeFloat + Computed<ComputeType = L>>(row: &mut [L], shift: L) -> L {
    let mut shifted = [L::ZERO; BLOCK];
    for part in row.chunks_mut(BLOCK) {
        let shifted = &mut shifted[..part.len()];
        shifted.iter_mut().zip(&*part).for_each(|(to, &x)| *to = x - shift);
        L::map_function::<Exp>(shifted, part);
    }
    sum_of(row, &sum_of_strands)
}

/// The sum of some numbers: those a strand's width apart first, side by side.
fn sum_of_strands<L: ComputeFloat>(values: &[L]) -> L {
    let (strands, rest) = values.as_chunks::<STRANDS>();
    let mut sums = [L::ZERO; STRANDS];
    for strand in strands {
        for (sum, &x) in sums.iter_mut().zip(strand) {
            *sum = *sum + x;
        }
    }
    let mut width = STRANDS / 2;
    while width > 0 {
        let (low, high) = sums.split_at_mut(width);
        low.iter_mut().zip(high).for_each(|(low, &mut high)| *low = *low + high);
        width /= 2;
    }
    rest.iter().fold(sums[0], |sum, &x| sum + x)
}

/// The mean of a row.
pub(super) fn mean_of(row: &[f32]) -> f32 {
    sum_of(row, &sum_of_strands) / row.len() as f32
}

/// The mean of the squares of a row's differences from `center`.
pub(super) fn mean_of_squares(row: &[f32], center: f32) -> f32 {
    let sum = sum_of(row, &|values: &[f32]| {
        let mut squares = [0.0; BLOCK];
        let squares = &mut squares[..values.len()];
        squares.iter_mut().zip(values).for_each(|(square, x)| *square = (x - center) * (x - center));
        sum_of_strands(squares)
    });
    sum / row.len() as f32
}

/// Divides each value by `divisor`.
pub(super) fn divide<L: ComputeFloat>(row: &mut [L], divisor: L) {
    change1::<false, _, _>(row, |x| x / divisor);
}

/// Sets `output` to what `body` makes of each row of `logits` along the last axis.
pub(super) fn each_row<T: Computed<ComputeType: ComputeFloat + Computed<ComputeType = T::ComputeType>>>(
    logits: Input<'_>,
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
    body: fn(&mut [T::ComputeType]),
) -> Result<()> {
    let shape = logits.shape().clone();
    let Some(&width) = shape.last() else { bail!("logits must be of rank 1 at least, they are a scalar") };
    let (output, logits) = output.forward(logits, &shape)?;
    let out = output.as_mut_slice::<T>()?;
    if let Some(logits) = logits {
        out.copy_from_slice(logits.as_slice::<T>()?);
    }
    if !out.is_empty() {
        for_each_row(env, out, width, GRAIN, &|_, row| {
            change_computed(row, body);
        });
    }
    Ok(())
}
