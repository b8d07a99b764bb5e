//! `StatelessRandomUniformFullInt`, `StatelessRandomUniformFullIntV2`: integers of the whole range of their dtype.
//!
//! The output has the shape that the vector `shape` holds; its numbers are the drawn bits, TensorFlow's bit for bit.

use super::filling::{Distribution, Host, fill, fill_by_bits};
use oplink::prelude::*;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{Bits, KeyCounter, RandomBackend, draw_from_key, draw_from_seed};
use oplink_ops::random::{StatelessRandomUniformFullInt, StatelessRandomUniformFullIntV2};

/// `StatelessRandomUniformFullInt` of every dtype. As in TensorFlow, seeds of unsigned integers are declared but
/// refused.
#[kernel(StatelessRandomUniformFullInt, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_uniform_full_int_cpu(
    shape: &Tensor,
    seed: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_seed::<Host, Bits>(shape, seed, output, env)
}

/// `StatelessRandomUniformFullIntV2` of every dtype.
#[kernel(StatelessRandomUniformFullIntV2, device = CPU, dtype = any, Tshape = any, host_memory = [shape, alg])]
pub fn stateless_random_uniform_full_int_v2_cpu(
    shape: &Tensor,
    key: &Tensor,
    counter: &Tensor,
    alg: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    draw_from_key::<Host, Bits>(shape, KeyCounter { key, counter, alg }, output, env)
}

impl Distribution<[u8; 4]> for Bits {
    const GROUP: usize = 4;

    fn fill(&self, start: Philox, out: &mut [[u8; 4]]) {
        fill_by_bits::<_, 1>(start, out, |bits, out| {
            out.iter_mut().zip(bits).for_each(|(out, bits)| *out = bits.to_ne_bytes());
        });
    }
}

impl Distribution<[u8; 8]> for Bits {
    const GROUP: usize = 2;

    fn fill(&self, start: Philox, out: &mut [[u8; 8]]) {
        let number = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
        fill_by_bits::<_, 2>(start, out, |bits, out| {
            out.iter_mut().zip(bits.as_chunks().0).for_each(|(out, &bits)| *out = number(bits).to_ne_bytes());
        });
    }
}

impl RandomBackend<Bits> for Host {
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, bits: &Bits) -> Result<()> {
        let width = out.dtype().size();
        let bytes = out.as_mut_bytes()?;
        match width {
            Some(4) => fill(&env, start, bits, bytes.as_chunks_mut::<4>().0),
            _ => fill(&env, start, bits, bytes.as_chunks_mut::<8>().0),
        }
        Ok(())
    }
}
