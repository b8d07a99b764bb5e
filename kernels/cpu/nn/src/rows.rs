//! Softmax arithmetic on rows in their compute type.

use oplink::{KernelEnv, prelude::*};

use oplink_cpu_contraction::computed::change_computed;
use oplink_cpu_contraction::sums::sum_of;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_cpu_support::parallel::for_each_row;
use oplink_vmath::functions;
use oplink_vmath::loops::{self, MathFunction, change1};

/// Values whose squares are summed at a time, at most.
const BLOCK: usize = 256;
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

/// The largest number of a row, NaN aside; negative infinity for a row without any.
pub(super) fn largest<L: ComputeFloat>(row: &[L]) -> L {
    loops::largest(row, L::LOWEST)
}

/// Replaces each value by `exp(value - shift)` and returns the sum of the results.
pub(super) fn exp_shifted<L: ComputeFloat + Computed<ComputeType = L>>(row: &mut [L], shift: L) -> L {
    L::change_shifted::<Exp>(row, shift);
    sum_of(row, &sum_of_block)
}

fn sum_of_block<L: ComputeFloat>(values: &[L]) -> L {
    loops::sum(values, L::ZERO)
}

/// The mean of a row.
pub(super) fn mean_of(row: &[f32]) -> f32 {
    sum_of(row, &sum_of_block) / row.len() as f32
}

/// The mean of the squares of a row's differences from `center`.
pub(super) fn mean_of_squares(row: &[f32], center: f32) -> f32 {
    let sum = sum_of(row, &|values: &[f32]| {
        let mut squares = [0.0; BLOCK];
        let squares = &mut squares[..values.len()];
        loops::map(values, squares, |x| (x - center) * (x - center));
        sum_of_block(squares)
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
