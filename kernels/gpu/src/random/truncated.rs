//! Normal numbers within 2 of the mean: of the pairs that are drawn for a group of numbers, those that lie within,
//! until the group is full. Each group has 256 blocks a number, divided by the numbers of a block, to itself.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{RandomBackend, Truncated};

use super::box_muller::{normal_pair, normal_pair_of_doubles};
use super::philox::{Position, draw, position};
use crate::movement::{Device, words};

impl RandomBackend<Truncated> for Device {
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, _: &Truncated) -> Result<()> {
        let (device, dtype, count) = (env.device()?, out.dtype(), out.num_elements());
        let start = position(start);
        if dtype == DType::Double {
            let grid = truncated_doubles::blocks(count.div_ceil(2));
            return truncated_doubles { out, count: words(count)?, start }.launch(device, grid);
        }
        let grid = truncated_numbers::blocks(count.div_ceil(4));
        truncated_numbers { out, count: words(count)?, start }.launch(device, dtype, grid)
    }
}

/// A group is four numbers and 256 blocks.
#[program(block = 256, T = [f32, f16, bf16])]
fn truncated_numbers<T: Float>(out: &mut [T], count: u32, start: Position) {
    for group in grid_stride((count as usize - 1) / 4 + 1) {
        let mut at = group * 4;
        let end = (at + 4).min(count as usize);
        let high = group as u32 >> 24;
        let mut low = (group as u32) << 8;
        while at < end {
            let block = draw(start, low, high);
            low = low.wrapping_add(1);
            for half in 0..2_usize {
                let pair = normal_pair(block[half * 2], block[half * 2 + 1]);
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
#[program(block = 256)]
fn truncated_doubles(out: &mut [f64], count: u32, start: Position) {
    for group in grid_stride((count as usize - 1) / 2 + 1) {
        let mut at = group * 2;
        let end = (at + 2).min(count as usize);
        let high = group as u32 >> 25;
        let mut low = (group as u32) << 7;
        while at < end {
            let block = draw(start, low, high);
            low = low.wrapping_add(1);
            let pair = normal_pair_of_doubles(block);
            for side in 0..2_usize {
                if pair[side].abs() < 2.0 && at < end {
                    out[at] = pair[side];
                    at += 1;
                }
            }
        }
    }
}
