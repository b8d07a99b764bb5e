//! Softmax arithmetic on rows in their compute type.

use oplink::{KernelEnv, prelude::*};

use oplink_cpu_contraction::computed::change_computed;
use oplink_cpu_contraction::sums::sum_of;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_cpu_support::parallel::for_each_row;
use oplink_vmath::functions;
use oplink_vmath::loops::MathFunction;

/// Computed that pass through the exponential at a time.
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

/// The largest number of a row; negative infinity for a row without any.
pub(super) fn largest<L: ComputeFloat>(row: &[L]) -> L {
    let (strands, rest) = row.as_chunks::<16>();
    let mut tops = [L::LOWEST; 16];
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
    sum_of(row, &|block: &[L]| block.iter().fold(L::ZERO, |a, &b| a + b))
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
