//! `StatelessRandomUniformFullInt`, `StatelessRandomUniformFullIntV2`: integers of the whole range of their dtype.
//!
//! The output has the shape that the vector `shape` holds; its numbers are the drawn bits, TensorFlow's bit for bit.

use oplink::prelude::*;

use super::filling::{Bits, Distribution, Filler, Host, fill, fill_by_bits, set_from_key, set_from_seed};
use crate::support::philox::Philox;

/// Random integers of every value, a function of the shape and the seed.
#[op("StatelessRandomUniformFullInt",
     input = "shape: T",
     input = "seed: Tseed",
     output = "output: dtype",
     attr = "dtype: {int32, int64, uint32, uint64} = DT_UINT64",
     attr = "T: {int32, int64} = DT_INT32",
     attr = "Tseed: {int32, int64, uint32, uint64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomUniformFullInt;

/// Random integers of every value, a function of the shape, the key and the counter.
#[op("StatelessRandomUniformFullIntV2",
     input = "shape: Tshape",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     output = "output: dtype",
     attr = "dtype: {int32, int64, uint32, uint64} = DT_UINT64",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessRandomUniformFullIntV2;

/// `StatelessRandomUniformFullInt` of every dtype. As in TensorFlow, seeds of unsigned integers are declared but refused.
#[kernel(StatelessRandomUniformFullInt, device = CPU, dtype = any, T = any, Tseed = any, host_memory = [shape, seed])]
pub fn stateless_random_uniform_full_int_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set_from_seed::<Host, Bits>(context)
}

/// `StatelessRandomUniformFullIntV2` of every dtype.
#[kernel(StatelessRandomUniformFullIntV2, device = CPU, dtype = any, Tshape = any, host_memory = [shape, alg])]
pub fn stateless_random_uniform_full_int_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set_from_key::<Host, Bits>(context)
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

impl Filler<Bits> for Host {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, bits: &Bits) -> Result<()> {
        let (env, width) = (context.env(), out.dtype().size());
        let bytes = out.as_mut_bytes()?;
        match width {
            Some(4) => fill(env, start, bits, bytes.as_chunks_mut::<4>().0),
            _ => fill(env, start, bits, bytes.as_chunks_mut::<8>().0),
        }
        Ok(())
    }
}
