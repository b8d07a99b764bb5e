//! Normal numbers within 2 of the mean: of the pairs that are drawn for a group of numbers, those that lie within, until the
//! group is full. Each group has 256 blocks a number, divided by the numbers of a block, to itself.
#![allow(clippy::too_many_arguments, reason = "a program takes each word of a position by its own value")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_kernels_cpu::random::filling::{Filler, Truncated};
use oplink_kernels_cpu::support::philox::Philox;

use super::box_muller::{normal_pair, normal_pair_of_doubles};
use super::philox::{draw, position};
use crate::movement::{Device, words};

impl Filler<Truncated> for Device {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, _: &Truncated) -> Result<()> {
        let (device, dtype, count) = (context.device()?, out.dtype(), out.num_elements());
        let [a, b, c, d, e, f] = position(start);
        if dtype == DType::Double {
            let grid = truncated_doubles::blocks(count.div_ceil(2));
            return truncated_doubles::launch(device, grid, out, words(count)?, a, b, c, d, e, f);
        }
        let grid = truncated_numbers::blocks(count.div_ceil(4));
        truncated_numbers::launch(device, dtype, grid, out, words(count)?, a, b, c, d, e, f)
    }
}

/// A group is four numbers and 256 blocks.
#[program(block = 256, T = [f32, f16, bf16], uses = [draw, normal_pair])]
fn truncated_numbers<T: Float>(
    out: &mut [T],
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
    let mut pair = [0.0_f32; 2];
    let first = block_index().x * block_dim().x + thread_index().x;
    for group in (first..=(count - 1) as usize / 4).step_by(grid_dim().x * block_dim().x) {
        let mut at = group * 4;
        let end = (at + 4).min(count as usize);
        let high = group as u32 >> 24;
        let mut low = (group as u32) << 8;
        while at < end {
            draw(&mut block, &start, low, high);
            low = low.wrapping_add(1);
            for half in 0..2_usize {
                normal_pair(&mut pair, block[half * 2], block[half * 2 + 1]);
                for side in 0..2_usize {
                    if pair[side].abs() < 2.0 && at < end {
                        out[at] = T::from_f32(pair[side]);
                        at += 1;
                    }
                }
            }
        }
    }
}

/// A group is two numbers and 128 blocks.
#[program(block = 256, uses = [draw, normal_pair_of_doubles])]
fn truncated_doubles(
    out: &mut [f64],
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
    let mut pair = [0.0_f64; 2];
    let first = block_index().x * block_dim().x + thread_index().x;
    for group in (first..=(count - 1) as usize / 2).step_by(grid_dim().x * block_dim().x) {
        let mut at = group * 2;
        let end = (at + 2).min(count as usize);
        let high = group as u32 >> 25;
        let mut low = (group as u32) << 7;
        while at < end {
            draw(&mut block, &start, low, high);
            low = low.wrapping_add(1);
            normal_pair_of_doubles(&mut pair, &block);
            for side in 0..2_usize {
                if pair[side].abs() < 2.0 && at < end {
                    out[at] = pair[side];
                    at += 1;
                }
            }
        }
    }
}
