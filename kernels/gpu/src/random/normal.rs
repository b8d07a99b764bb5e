//! Normal numbers: pairs of drawn numbers through the transform of Box and Muller. The 16-bit floats are rounded from single
//! precision.
#![allow(clippy::too_many_arguments, reason = "a program takes each word of a position by its own value")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_kernels_cpu::random::filling::{Filler, Normal};
use oplink_kernels_cpu::support::philox::Philox;

use super::box_muller::{normal_pair, normal_pair_of_doubles};
use super::philox::{draw, position};
use crate::movement::{Device, words};

impl Filler<Normal> for Device {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, _: &Normal) -> Result<()> {
        let (device, dtype, count) = (context.device()?, out.dtype(), out.num_elements());
        let [a, b, c, d, e, f] = position(start);
        if dtype == DType::Double {
            let grid = normal_doubles::blocks(count.div_ceil(2));
            return normal_doubles::launch(device, grid, out, words(count)?, a, b, c, d, e, f);
        }
        let grid = normal_numbers::blocks(count.div_ceil(4));
        normal_numbers::launch(device, dtype, grid, out, words(count)?, a, b, c, d, e, f)
    }
}

/// A block is four numbers.
#[program(block = 256, T = [f32, f16, bf16], uses = [draw, normal_pair])]
fn normal_numbers<T: Float>(
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
        draw(&mut block, &start, group as u32, 0);
        for half in 0..2_usize {
            normal_pair(&mut pair, block[half * 2], block[half * 2 + 1]);
            let at = group * 4 + half * 2;
            if at < count as usize {
                out[at] = T::from_f32(pair[0]);
            }
            if at + 1 < count as usize {
                out[at + 1] = T::from_f32(pair[1]);
            }
        }
    }
}

/// A block is two numbers.
#[program(block = 256, uses = [draw, normal_pair_of_doubles])]
fn normal_doubles(
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
        draw(&mut block, &start, group as u32, 0);
        normal_pair_of_doubles(&mut pair, &block);
        let at = group * 2;
        out[at] = pair[0];
        if at + 1 < count as usize {
            out[at + 1] = pair[1];
        }
    }
}
