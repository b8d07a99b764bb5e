//! Integers: drawn bits as they are, or the remainder of them in a range. A program of int32 sees one drawn number an
//! element, one of int64 two, the lower first.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{Bits, Integers, RandomBackend};

use super::philox::{Position, draw, position};
use crate::movement::{Device, words};

impl RandomBackend<Bits> for Device {
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, _: &Bits) -> Result<()> {
        let out = out.device_words()?;
        let count = out.num_elements();
        let start = position(start);
        let grid = drawn_words::blocks(count.div_ceil(4));
        drawn_words { out: &out, count: words(count)?, start }.launch(env.device()?, grid)
    }
}

impl RandomBackend<Integers> for Device {
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, range: &Integers) -> Result<()> {
        let (device, count, Integers { low, extent }) = (env.device()?, out.num_elements(), *range);
        let start = position(start);
        if out.dtype() == DType::Int32 {
            let (low, extent) = (low as i32, extent as u32);
            let grid = integers_of_words::blocks(count.div_ceil(4));
            return integers_of_words { out, count: words(count)?, start, low, extent }.launch(device, grid);
        }
        let grid = integers_of_pairs::blocks(count.div_ceil(2));
        integers_of_pairs { out, count: words(count)?, start, low, extent }.launch(device, grid)
    }
}

/// The numbers as they are drawn.
#[program(block = 256)]
fn drawn_words(out: &mut [u32], count: u32, start: Position) {
    for group in grid_stride((count as usize - 1) / 4 + 1) {
        let block = draw(start, group as u32, 0);
        for part in 0..4_usize {
            let at = group * 4 + part;
            if at < count as usize {
                out[at] = block[part];
            }
        }
    }
}

/// `low` plus the remainder of each number by `extent`.
#[program(block = 256)]
fn integers_of_words(out: &mut [i32], count: u32, start: Position, low: i32, extent: u32) {
    for group in grid_stride((count as usize - 1) / 4 + 1) {
        let block = draw(start, group as u32, 0);
        for part in 0..4_usize {
            let at = group * 4 + part;
            if at < count as usize {
                out[at] = low.wrapping_add((block[part] % extent) as i32);
            }
        }
    }
}

/// `low` plus the remainder by `extent` of each number of two words.
#[program(block = 256)]
fn integers_of_pairs(out: &mut [i64], count: u32, start: Position, low: i64, extent: u64) {
    for group in grid_stride((count as usize - 1) / 2 + 1) {
        let block = draw(start, group as u32, 0);
        for part in 0..2_usize {
            let at = group * 2 + part;
            if at < count as usize {
                let bits = u64::from(block[part * 2]) | (u64::from(block[part * 2 + 1]) << 32);
                out[at] = low.wrapping_add((bits % extent) as i64);
            }
        }
    }
}
