//! Numbers of distributions with parameters: for each sample an output of every distribution.

use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_ops::movement::{broadcast_strides, coordinates};
use oplink_ops::philox::Philox;

use oplink_ops::philox::double;

/// Fewest numbers that are worth a thread's while.
const GRAIN: usize = 1 << 10;

/// Numbers from which on integers of 32 and of 64 bits do not hold them: these become the smallest integer.
const TWO_31: f64 = 2_147_483_648.0;
const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// A distribution with its parameters.
pub(super) trait Sampler: Sync {
    /// The number with this index, counted distribution by distribution, where the first one's bits start at `start`.
    fn sample(&self, start: Philox, index: u64) -> f64;
}

/// Writes numbers of every dtype. They are counted distribution by distribution, while the output has sample by sample.
pub(super) fn fill<S: Sampler>(env: &Env<'_>, samplers: &[S], start: Philox, out: &mut Tensor) -> Result<()> {
    match out.dtype() {
        DType::Half => fill_as(env, samplers, start, out.as_mut_slice()?, f16::from_f64),
        DType::BFloat16 => fill_as(env, samplers, start, out.as_mut_slice()?, bf16::from_f64),
        DType::Float => fill_as(env, samplers, start, out.as_mut_slice()?, |number| number as f32),
        DType::Int32 => fill_as(env, samplers, start, out.as_mut_slice()?, |number| {
            if (-TWO_31..TWO_31).contains(&number) { number as i32 } else { i32::MIN }
        }),
        DType::Int64 => fill_as(env, samplers, start, out.as_mut_slice()?, |number| {
            if (-TWO_63..TWO_63).contains(&number) { number as i64 } else { i64::MIN }
        }),
        _ => fill_as(env, samplers, start, out.as_mut_slice()?, |number| number),
    }
    Ok(())
}

fn fill_as<S: Sampler, T: Send>(
    env: &Env<'_>,
    samplers: &[S],
    start: Philox,
    out: &mut [T],
    convert: impl Fn(f64) -> T + Sync,
) {
    let samples = out.len() / samplers.len().max(1);
    for_each_chunk(env, out, GRAIN, 1, &|from, part| {
        for (index, out) in (from..).zip(env.watch(part)) {
            let (sample, at) = (index / samplers.len(), index % samplers.len());
            *out = convert(samplers[at].sample(start, (at * samples + sample) as u64));
        }
    });
}

/// The largest number that an output of this dtype can be.
pub(super) fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::Half => f16::MAX.to_f64(),
        DType::BFloat16 => bf16::MAX.to_f64(),
        DType::Float => f32::MAX.into(),
        DType::Int32 => i32::MAX.into(),
        DType::Int64 => i64::MAX as f64,
        _ => f64::MAX,
    }
}

/// Parameters in double precision.
pub(super) fn parameters(tensor: &Tensor) -> Result<Vec<f64>> {
    match tensor.dtype() {
        DType::Half => try_collect(tensor.as_slice::<f16>()?.iter().map(|value| value.to_f64())),
        DType::BFloat16 => try_collect(tensor.as_slice::<bf16>()?.iter().map(|value| value.to_f64())),
        DType::Float => try_collect(tensor.as_slice::<f32>()?.iter().map(|&value| value.into())),
        DType::Int32 => try_collect(tensor.as_slice::<i32>()?.iter().map(|&value| value.into())),
        DType::Int64 => try_collect(tensor.as_slice::<i64>()?.iter().map(|&value| value as f64)),
        _ => try_collect(tensor.as_slice::<f64>()?.iter().copied()),
    }
}

/// The shape of an output must end in that of the parameters.
pub(super) fn check_ending(shape: &Shape, parameters: &Shape) -> Result<()> {
    let fits = shape.dims().ends_with(parameters.dims());
    ensure!(fits, "shape must end in the shape of the parameters, which is {parameters}; it is {shape}");
    Ok(())
}

/// For each position of the shape `to` the one of a tensor of the shape `from`, which broadcasts to it.
pub(super) fn broadcast_positions(from: &Shape, to: &Shape) -> Result<Vec<usize>> {
    let strides = broadcast_strides(from, to);
    let position =
        |at| coordinates(at, to).iter().zip(&strides).map(|(&at, &stride)| at as usize * stride as usize).sum();
    try_collect((0..to.num_elements()).map(position))
}

/// The numbers of a block that are not used yet.
pub(super) struct Stock {
    numbers_of: fn([u32; Philox::BLOCK]) -> [f64; 2],
    numbers: [f64; 2],
    left: usize,
}

impl Stock {
    /// No numbers yet; blocks become numbers by this function.
    pub(super) fn new(numbers_of: fn([u32; Philox::BLOCK]) -> [f64; 2]) -> Self {
        Self { numbers_of, numbers: [0.0; 2], left: 0 }
    }

    /// Numbers in `[0, 1)`.
    pub(super) fn uniform() -> Self {
        Self::new(|[a, b, c, d]| [double(a, b), double(c, d)])
    }

    /// The last unused number of a block; draws one where there is none.
    pub(super) fn take(&mut self, next: &mut Philox) -> f64 {
        if self.left == 0 {
            self.numbers = (self.numbers_of)(next.block());
            self.left = self.numbers.len();
        }
        self.left -= 1;
        self.numbers[self.left]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_broadcast() {
        let positions = |from: &[usize], to: &[usize]| broadcast_positions(&Shape::new(from), &Shape::new(to)).unwrap();
        assert_eq!(positions(&[], &[2]), [0, 0]);
        assert_eq!(positions(&[2, 1], &[2, 2]), [0, 0, 1, 1]);
        assert_eq!(positions(&[2], &[2, 2]), [0, 1, 0, 1]);
    }
}
