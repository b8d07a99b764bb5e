//! Integers: drawn bits as they are, or the remainder of them in a range. A program of int32 sees one drawn number an element,
//! one of int64 two, the lower first.
#![allow(clippy::too_many_arguments, reason = "a program takes each word of a position by its own value")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_kernels_cpu::random::filling::{Bits, Filler, Integers};
use oplink_kernels_cpu::support::philox::Philox;

use super::philox::{draw, position};
use crate::movement::{Device, words};

impl Filler<Bits> for Device {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, _: &Bits) -> Result<()> {
        let out = out.device_words()?;
        let count = out.num_elements();
        let [a, b, c, d, e, f] = position(start);
        let grid = drawn_words::blocks(count.div_ceil(4));
        drawn_words::launch(context.device()?, grid, &out, words(count)?, a, b, c, d, e, f)
    }
}

impl Filler<Integers> for Device {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, range: &Integers) -> Result<()> {
        let (device, count, Integers { low, extent }) = (context.device()?, out.num_elements(), *range);
        let [a, b, c, d, e, f] = position(start);
        if out.dtype() == DType::Int32 {
            let (low, extent) = (low as i32, extent as u32);
            let grid = integers_of_words::blocks(count.div_ceil(4));
            return integers_of_words::launch(device, grid, out, words(count)?, a, b, c, d, e, f, low, extent);
        }
        let grid = integers_of_pairs::blocks(count.div_ceil(2));
        integers_of_pairs::launch(device, grid, out, words(count)?, a, b, c, d, e, f, low, extent)
    }
}

/// The numbers as they are drawn.
#[program(block = 256, uses = [draw])]
fn drawn_words(
    out: &mut [u32],
    count: u32,
    key0: u32,
    key1: u32,
    counter0: u32,
    counter1: u32,
    counter2: u32,
    counter3: u32,
) {
    let start = [key0, key1, counter0, counter1, counter2, counter3];
    let mut block = [0_u32; 4];
    let first = block_index().x * block_dim().x + thread_index().x;
    for group in (first..=(count - 1) as usize / 4).step_by(grid_dim().x * block_dim().x) {
        draw(&mut block, &start, group as u32, 0);
        for part in 0..4_usize {
            let at = group * 4 + part;
            if at < count as usize {
                out[at] = block[part];
            }
        }
    }
}

/// `low` plus the remainder of each number by `extent`.
#[program(block = 256, uses = [draw])]
fn integers_of_words(
    out: &mut [i32],
    count: u32,
    key0: u32,
    key1: u32,
    counter0: u32,
    counter1: u32,
    counter2: u32,
    counter3: u32,
    low: i32,
    extent: u32,
) {
    let start = [key0, key1, counter0, counter1, counter2, counter3];
    let mut block = [0_u32; 4];
    let first = block_index().x * block_dim().x + thread_index().x;
    for group in (first..=(count - 1) as usize / 4).step_by(grid_dim().x * block_dim().x) {
        draw(&mut block, &start, group as u32, 0);
        for part in 0..4_usize {
            let at = group * 4 + part;
            if at < count as usize {
                out[at] = low.wrapping_add((block[part] % extent) as i32);
            }
        }
    }
}

/// `low` plus the remainder by `extent` of each number of two words.
#[program(block = 256, uses = [draw])]
fn integers_of_pairs(
    out: &mut [i64],
    count: u32,
    key0: u32,
    key1: u32,
    counter0: u32,
    counter1: u32,
    counter2: u32,
    counter3: u32,
    low: i64,
    extent: u64,
) {
    let start = [key0, key1, counter0, counter1, counter2, counter3];
    let mut block = [0_u32; 4];
    let first = block_index().x * block_dim().x + thread_index().x;
    for group in (first..=(count - 1) as usize / 2).step_by(grid_dim().x * block_dim().x) {
        draw(&mut block, &start, group as u32, 0);
        for part in 0..2_usize {
            let at = group * 2 + part;
            if at < count as usize {
                let bits = u64::from(block[part * 2]) | (u64::from(block[part * 2 + 1]) << 32);
                out[at] = low.wrapping_add((bits % extent) as i64);
            }
        }
    }
}
