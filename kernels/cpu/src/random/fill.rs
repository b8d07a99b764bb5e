//! Tensors filled with random numbers: the same ones whatever the number of threads.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::lanes::draw;
use crate::support::parallel::for_each_chunk;
use crate::support::philox::Philox;

/// Fewest numbers that are worth a thread's while.
const GRAIN: usize = 1 << 13;
/// Numbers that are drawn at a time.
const BUFFER: usize = 1 << 9;

/// How random bits become numbers of one dtype.
///
/// Numbers are made in groups. Each group starts at a position of its own in the sequence, so that a part of an output is
/// computed without the parts before it.
pub(super) trait Distribution<T>: Sync {
    /// Numbers of a group, a power of two.
    const GROUP: usize;
    /// Blocks from the start of one group to that of the next.
    const BLOCKS: u64 = 1;

    /// Writes the numbers from `start`, where a group starts, on.
    fn fill(&self, start: Philox, out: &mut [T]);
}

/// Fills `out` with the numbers from `start` on.
pub(super) fn fill<T, D>(env: &dyn KernelEnv, start: Philox, distribution: &D, out: &mut [T])
where
    T: Send,
    D: Distribution<T>,
{
    for_each_chunk(env, out, GRAIN, D::GROUP, &|from, part| {
        distribution.fill(start.skipped((from / D::GROUP) as u64 * D::BLOCKS), part);
    });
}

/// Writes numbers that take `BITS` drawn ones each, a divisor of a block: `convert` gets the drawn ones and where the
/// numbers go, many at a time.
#[inline]
pub(super) fn fill_by_bits<T, const BITS: usize>(mut start: Philox, out: &mut [T], convert: impl Fn(&[u32], &mut [T])) {
    let mut bits = [0; BUFFER];
    for out in out.chunks_mut(BUFFER / BITS) {
        let blocks = (out.len() * BITS).div_ceil(Philox::BLOCK);
        let bits = &mut bits[..blocks * Philox::BLOCK];
        draw(start, bits);
        convert(bits, out);
        start = start.skipped(blocks as u64);
    }
}

/// A distribution over every floating dtype.
pub(super) trait OverFloats:
    Distribution<f16> + Distribution<bf16> + Distribution<f32> + Distribution<f64>
{
}

impl<D: Distribution<f16> + Distribution<bf16> + Distribution<f32> + Distribution<f64>> OverFloats for D {}

/// Sets the output, a tensor of a floating dtype and this shape.
pub(super) fn set_floats<D: OverFloats>(
    context: &mut KernelContext<'_>,
    shape: Shape,
    start: Philox,
    distribution: &D,
) -> Result<()> {
    let mut out = context.allocate_output(0, shape)?;
    let env = context.env();
    match out.dtype() {
        DType::Half => fill(env, start, distribution, out.as_mut_slice::<f16>()?),
        DType::BFloat16 => fill(env, start, distribution, out.as_mut_slice::<bf16>()?),
        DType::Float => fill(env, start, distribution, out.as_mut_slice::<f32>()?),
        _ => fill(env, start, distribution, out.as_mut_slice::<f64>()?),
    }
    context.set_output(0, out);
    Ok(())
}

/// Sets the output of a stateless op whose inputs are a shape and a seed.
pub(super) fn set_floats_from_seed<D: OverFloats>(context: &mut KernelContext<'_>, distribution: &D) -> Result<()> {
    let (shape, start) = (super::generator::output_shape(context)?, super::generator::from_seed(context.input(1))?);
    set_floats(context, shape, start, distribution)
}

/// Sets the output of a stateless op whose inputs are a shape, a key, a counter and an algorithm.
pub(super) fn set_floats_from_key<D: OverFloats>(context: &mut KernelContext<'_>, distribution: &D) -> Result<()> {
    let shape = super::generator::output_shape(context)?;
    let start = super::generator::from_key_and_counter(context, 1, shape.num_elements())?;
    set_floats(context, shape, start, distribution)
}
