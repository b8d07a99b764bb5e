//! Tensors filled with random numbers: the same ones whatever the number of threads, and whatever the device.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::generator::{Generator, KeyCounter, from_key_and_counter, from_seed, output_shape};
use super::lanes::draw;
use oplink_cpu_support::parallel::for_each_chunk;
use oplink_cpu_support::philox::Philox;

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

/// The memory that an op's numbers are written to, in a run of a raw kernel.
///
/// The functions of this module that take a context are the ops, whatever the memory. Shapes, seeds, keys, counters and bounds
/// are read in host memory.
pub trait Filler<D> {
    /// Writes the numbers of `distribution` from `start` on to `out`, which has elements.
    ///
    /// # Errors
    /// The device refuses the work.
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, distribution: &D) -> Result<()>;
}

/// Writes to host memory.
#[derive(Debug)]
pub struct Host;

/// A distribution whose numbers are written to host memory, of every dtype that its ops declare.
pub(super) trait OnHost {
    /// Writes the numbers from `start` on to `out`.
    fn write(&self, env: &dyn KernelEnv, start: Philox, out: &mut Tensor) -> Result<()>;
}

impl<D: OnHost> Filler<D> for Host {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, distribution: &D) -> Result<()> {
        distribution.write(context.env(), start, out)
    }
}

/// Every number in `[0, 1)` that the significand can tell apart from 1, equally likely.
#[derive(Debug, Default)]
pub struct Uniform;

/// The standard normal distribution.
#[derive(Debug, Default)]
pub struct Normal;

/// The standard normal distribution within 2 of the mean.
#[derive(Debug, Default)]
pub struct Truncated;

/// The drawn bits, as integers of 4 or 8 bytes.
#[derive(Debug, Default)]
pub struct Bits;

/// The integers from `low` on, `extent` of them, of int32 or int64. The extent is at least 1.
#[derive(Clone, Copy, Debug)]
pub struct Integers {
    /// The smallest.
    pub low: i64,
    /// How many there are.
    pub extent: u64,
}

/// Numbers of the floating dtypes.
macro_rules! floats_on_host {
    ($($distribution:ty),*) => {$(
        impl OnHost for $distribution {
            fn write(&self, env: &dyn KernelEnv, start: Philox, out: &mut Tensor) -> Result<()> {
                match out.dtype() {
                    DType::Half => fill(env, start, self, out.as_mut_slice::<f16>()?),
                    DType::BFloat16 => fill(env, start, self, out.as_mut_slice::<bf16>()?),
                    DType::Float => fill(env, start, self, out.as_mut_slice::<f32>()?),
                    _ => fill(env, start, self, out.as_mut_slice::<f64>()?),
                }
                Ok(())
            }
        }
    )*};
}

floats_on_host!(Uniform, Normal, Truncated);

/// Sets the output, a tensor of this shape, to the numbers from `start` on.
pub(super) fn write_output<D: OnHost>(
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
    shape: Shape,
    (start, distribution): (Philox, &D),
) -> Result<()> {
    let out = output.allocate(shape)?;
    if out.num_elements() > 0 { distribution.write(env, start, out) } else { Ok(()) }
}

/// An op whose input is a shape, from the sequence of the node.
pub(super) fn draw_from_node<D: OnHost + Default>(
    shape: &Tensor,
    generator: &Generator,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let shape = output_shape(shape)?;
    let start = generator.reserve_outputs(shape.num_elements());
    write_output(output, env, shape, (start, &D::default()))
}

/// A stateless op whose inputs are a shape and a seed.
pub(super) fn draw_from_seed<D: OnHost + Default>(
    shape: &Tensor,
    seed: &Tensor,
    mut output: OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let (shape, start) = (output_shape(shape)?, from_seed(seed)?);
    write_output(&mut output, env, shape, (start, &D::default()))
}

/// A stateless op whose inputs are a shape, a key, a counter and an algorithm.
pub(super) fn draw_from_key<D: OnHost + Default>(
    shape: &Tensor,
    key_counter: KeyCounter<'_>,
    mut output: OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let shape = output_shape(shape)?;
    let start = from_key_and_counter(key_counter, shape.num_elements())?;
    write_output(&mut output, env, shape, (start, &D::default()))
}

/// Sets the output, a tensor of this shape.
fn set<F: Filler<D>, D: Default>(context: &mut KernelContext<'_>, shape: Shape, start: Philox) -> Result<()> {
    let mut out = context.allocate_output(0, shape)?;
    if out.num_elements() > 0 {
        F::fill(context, &mut out, start, &D::default())?;
    }
    context.set_output(0, out);
    Ok(())
}

/// Sets the output of an op whose input is a shape, from the sequence of the node.
///
/// # Errors
/// The shape is none, memory runs out, or `F` fails.
pub fn set_from_node<F: Filler<D>, D: Default>(context: &mut KernelContext<'_>, generator: &Generator) -> Result<()> {
    let shape = output_shape(context.input(0))?;
    let start = generator.reserve_outputs(shape.num_elements());
    set::<F, D>(context, shape, start)
}

/// Sets the output of a stateless op whose inputs are a shape and a seed.
///
/// # Errors
/// The inputs have wrong shapes, memory runs out, or `F` fails.
pub fn set_from_seed<F: Filler<D>, D: Default>(context: &mut KernelContext<'_>) -> Result<()> {
    let (shape, start) = (output_shape(context.input(0))?, from_seed(context.input(1))?);
    set::<F, D>(context, shape, start)
}

/// Sets the output of a stateless op whose inputs are a shape, a key, a counter and an algorithm.
///
/// # Errors
/// The inputs have wrong shapes, the algorithm is unknown, memory runs out, or `F` fails.
pub fn set_from_key<F: Filler<D>, D: Default>(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = output_shape(context.input(0))?;
    let start = from_key_and_counter(key_counter_of(context), shape.num_elements())?;
    set::<F, D>(context, shape, start)
}

/// The inputs after the first one of a stateless op of version 2.
pub(super) fn key_counter_of<'a>(context: &'a KernelContext<'_>) -> KeyCounter<'a> {
    KeyCounter { key: context.input(1), counter: context.input(2), alg: context.input(3) }
}
