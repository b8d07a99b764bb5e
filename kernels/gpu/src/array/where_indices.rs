//! `Where`: the coordinates of the elements that are not zero, in row-major order.
//!
//! The output's shape depends on the values, so the kernel waits for the device: it counts in chunks, the host adds the
//! counts up, and each chunk writes from where those before it end. NaN is not zero, -0.0 is; of any dtype it is the
//! bits that tell.
#![allow(clippy::too_many_arguments, reason = "a program takes each extent by its own value")]

use oplink::device::copy_to_host_blocking;
use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::array::Where;

use crate::movement::{element_bytes, words};

/// Elements of a chunk: a block's threads, with a run of elements each.
const CHUNK: usize = 256 * 16;
/// Axes that a program goes over.
const RANK: usize = 8;

/// How the bits of an element tell whether it is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bits {
    /// Elements of a word.
    per_word: u32,
    /// Words of an element, where it is a word at least.
    words: u32,
    /// Words of a number, of which complex elements have two.
    part: u32,
    /// The bits that count in the last word of a number: all but the sign of a float.
    mask: u32,
}

impl Bits {
    fn of(tensor: &Tensor) -> Result<Self> {
        let (dtype, bytes) = (tensor.dtype(), element_bytes(tensor)?);
        let (is_complex, is_signed) = match dtype {
            DType::Complex64 | DType::Complex128 => (true, true),
            DType::Half | DType::BFloat16 | DType::Float | DType::Double => (false, true),
            _ => (false, false),
        };
        let words = bytes as u32 / 4;
        let all = u32::MAX >> (32 - 8 * bytes.min(4));
        Ok(Self {
            per_word: if bytes < 4 { 4 / bytes as u32 } else { 1 },
            words,
            part: if is_complex { words / 2 } else { words },
            mask: if is_signed { all >> 1 } else { all },
        })
    }
}

/// `Where` of elements in the device's memory.
#[kernel(Where, device = GPU, T = [numbers, bool])]
pub fn where_gpu(input: &Tensor, mut index: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (count, rank) = (input.num_elements(), input.rank());
    if count == 0 {
        index.allocate([0, rank])?;
        return Ok(());
    }
    if rank > RANK {
        return Err(Error::unimplemented(format!("coordinates along {rank} axes on a GPU, {RANK} is the most")));
    }
    let (device, bits, values) = (env.device()?, Bits::of(input)?, input.device_words()?);
    let (elements, chunks) = (words(count)?, words(count.div_ceil(CHUNK))?);
    let grid = [chunks.min(65_535), 1, 1];
    let Bits { per_word, words: width, part, mask } = bits;
    let counts = device.allocate(DType::UInt32, [chunks as usize].into())?;
    count_set { values: &values, counts: &counts, count: elements, chunks, per_word, words: width, part, mask }
        .launch(device, grid)?;
    let mut found = 0;
    let starts: Vec<u32> = copy_to_host_blocking(device, &counts)?
        .as_slice::<u32>()?
        .iter()
        .map(|count| {
            found += count;
            found - count
        })
        .collect();
    let out = index.allocate([found as usize, rank])?;
    if out.num_elements() > 0 {
        let starts = device.copy_to_device(&Tensor::from_slice(&starts))?;
        let extent = |axis: usize| words(input.shape().get(axis).copied().unwrap_or(1));
        let extents: Vec<u32> = (0..RANK).map(extent).collect::<Result<_>>()?;
        let [a, b, c, d, e, f, g, h] = extents[..] else { return Err(Error::internal("eight extents")) };
        write_places {
            values: &values,
            starts: &starts,
            out: &out.device_words()?,
            count: elements,
            chunks,
            per_word,
            words: width,
            part,
            mask,
            rank: rank as u32,
            extent0: a,
            extent1: b,
            extent2: c,
            extent3: d,
            extent4: e,
            extent5: f,
            extent6: g,
            extent7: h,
        }
        .launch(device, grid)?;
    }
    Ok(())
}

/// 1 for an element that is not zero, else 0.
#[device_fn]
fn is_set(values: &[u32], at: u32, per_word: u32, words: u32, part: u32, mask: u32) -> u32 {
    let mut bits = 0_u32;
    if words == 0 {
        bits = (values[(at / per_word) as usize] >> (at % per_word * (32 / per_word))) & mask;
    }
    for word in 0..words {
        let value = values[(at * words + word) as usize];
        bits |= if (word + 1) % part == 0 { value & mask } else { value };
    }
    u32::from(bits != 0)
}

/// Writes how many elements of each chunk are not zero.
#[program(block = 256, uses = [is_set])]
fn count_set(
    values: &[u32],
    counts: &mut [u32],
    count: u32,
    chunks: u32,
    per_word: u32,
    words: u32,
    part: u32,
    mask: u32,
) {
    let mut sums = shared::<u32, 256>();
    let me = thread_index().x;
    let mut chunk = block_index().x as u32;
    while chunk < chunks {
        let start = chunk * 4096 + me as u32 * 16;
        let mut own = 0_u32;
        for step in 0..16_u32 {
            let at = start + step;
            if at < count {
                own += is_set(values, at, per_word, words, part, mask);
            }
        }
        sums[me] = own;
        barrier();
        let mut half = 128_usize;
        while half > 0 {
            if me < half {
                sums[me] += sums[me + half];
            }
            barrier();
            half /= 2;
        }
        if me == 0 {
            counts[chunk as usize] = sums[0];
        }
        barrier();
        chunk += grid_dim().x as u32;
    }
}

/// Writes the coordinates, two words each, of the elements that are not zero; those of a chunk from its start on.
#[program(block = 256, uses = [is_set])]
fn write_places(
    values: &[u32],
    starts: &[u32],
    out: &mut [u32],
    count: u32,
    chunks: u32,
    per_word: u32,
    words: u32,
    part: u32,
    mask: u32,
    rank: u32,
    extent0: u32,
    extent1: u32,
    extent2: u32,
    extent3: u32,
    extent4: u32,
    extent5: u32,
    extent6: u32,
    extent7: u32,
) {
    let extents = [extent0, extent1, extent2, extent3, extent4, extent5, extent6, extent7];
    let mut sums = shared::<u32, 256>();
    let me = thread_index().x;
    let mut chunk = block_index().x as u32;
    while chunk < chunks {
        let start = chunk * 4096 + me as u32 * 16;
        let mut own = 0_u32;
        for step in 0..16_u32 {
            let at = start + step;
            if at < count {
                own += is_set(values, at, per_word, words, part, mask);
            }
        }
        sums[me] = own;
        barrier();
        let mut reach = 1_usize;
        while reach < 256 {
            let mut before = 0_u32;
            if me >= reach {
                before = sums[me - reach];
            }
            barrier();
            sums[me] += before;
            barrier();
            reach *= 2;
        }
        let mut row = starts[chunk as usize] + sums[me] - own;
        for step in 0..16_u32 {
            let at = start + step;
            if at < count && is_set(values, at, per_word, words, part, mask) == 1 {
                let mut rest = at;
                for inner in 0..rank {
                    let axis = rank - 1 - inner;
                    let place = ((row * rank + axis) * 2) as usize;
                    out[place] = rest % extents[axis as usize];
                    out[place + 1] = 0;
                    rest /= extents[axis as usize];
                }
                row += 1;
            }
        }
        barrier();
        chunk += grid_dim().x as u32;
    }
}
