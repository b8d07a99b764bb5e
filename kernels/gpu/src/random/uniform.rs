//! Uniform numbers: as many drawn bits as the dtype's significand has, times the weight of the last one.
#![allow(clippy::too_many_arguments, reason = "a program takes each word of a position by its own value")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_kernels_cpu::random::filling::{Filler, Uniform};
use oplink_kernels_cpu::support::philox::Philox;

use super::box_muller::double;
use super::philox::{draw, position};
use crate::movement::{Device, words};

impl Filler<Uniform> for Device {
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, start: Philox, _: &Uniform) -> Result<()> {
        let (device, dtype, count) = (context.device()?, out.dtype(), out.num_elements());
        let [a, b, c, d, e, f] = position(start);
        if dtype == DType::Double {
            let grid = uniform_doubles::blocks(count.div_ceil(2));
            return uniform_doubles::launch(device, grid, out, words(count)?, a, b, c, d, e, f);
        }
        let bits = match dtype {
            DType::Half => 10,
            DType::BFloat16 => 7,
            _ => 23,
        };
        let (mask, weight) = ((1 << bits) - 1, 0.5_f32.powi(bits));
        let grid = uniform_numbers::blocks(count.div_ceil(4));
        uniform_numbers::launch(device, dtype, grid, out, words(count)?, a, b, c, d, e, f, mask, weight)
    }
}

/// A block is four numbers.
#[program(block = 256, T = [f32, f16, bf16], uses = [draw])]
fn uniform_numbers<T: Float>(
    out: &mut [T],
    count: u32,
    key0: u32,
    key1: u32,
    counter0: u32,
    counter1: u32,
    counter2: u32,
    counter3: u32,
    mask: u32,
    weight: f32,
) {
    let start = [key0, key1, counter0, counter1, counter2, counter3];
    let mut block = [0_u32; 4];
    let first = block_index().x * block_dim().x + thread_index().x;
    for group in (first..=(count - 1) as usize / 4).step_by(grid_dim().x * block_dim().x) {
        draw(&mut block, &start, group as u32, 0);
        for part in 0..4_usize {
            let at = group * 4 + part;
            if at < count as usize {
                out[at] = T::from_f32((block[part] & mask) as f32 * weight);
            }
        }
    }
}

/// A block is two numbers.
#[program(block = 256, uses = [draw, double])]
fn uniform_doubles(
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
    let first = block_index().x * block_dim().x + thread_index().x;
    for group in (first..=(count - 1) as usize / 2).step_by(grid_dim().x * block_dim().x) {
        draw(&mut block, &start, group as u32, 0);
        let at = group * 2;
        out[at] = double(block[0], block[1]);
        if at + 1 < count as usize {
            out[at + 1] = double(block[2], block[3]);
        }
    }
}
