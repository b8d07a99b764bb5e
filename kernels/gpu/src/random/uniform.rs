//! Uniform numbers: as many drawn bits as the dtype's significand has, times the weight of the last one.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{RandomBackend, Uniform};

use super::box_muller::double;
use super::philox::{Position, draw, position};
use crate::movement::{Device, words};

impl RandomBackend<Uniform> for Device {
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, _: &Uniform) -> Result<()> {
        let (device, dtype, count) = (env.device()?, out.dtype(), out.num_elements());
        let start = position(start);
        if dtype == DType::Double {
            let grid = uniform_doubles::blocks(count.div_ceil(2));
            return uniform_doubles { out, count: words(count)?, start }.launch(device, grid);
        }
        let bits = match dtype {
            DType::Half => 10,
            DType::BFloat16 => 7,
            _ => 23,
        };
        let (mask, weight) = ((1 << bits) - 1, 0.5_f32.powi(bits));
        let grid = uniform_numbers::blocks(count.div_ceil(4));
        uniform_numbers { out, count: words(count)?, start, mask, weight }.launch(device, dtype, grid)
    }
}

/// A block is four numbers.
#[program(block = 256, T = [f32, f16, bf16])]
fn uniform_numbers<T: Float>(out: &mut [T], count: u32, start: Position, mask: u32, weight: f32) {
    for group in grid_stride((count as usize - 1) / 4 + 1) {
        let block = draw(start, group as u32, 0);
        for part in 0..4_usize {
            let at = group * 4 + part;
            if at < count as usize {
                out[at] = T::from_f32((block[part] & mask) as f32 * weight);
            }
        }
    }
}

/// A block is two numbers.
#[program(block = 256)]
fn uniform_doubles(out: &mut [f64], count: u32, start: Position) {
    for group in grid_stride((count as usize - 1) / 2 + 1) {
        let block = draw(start, group as u32, 0);
        let at = group * 2;
        out[at] = double(block[0], block[1]);
        if at + 1 < count as usize {
            out[at + 1] = double(block[2], block[3]);
        }
    }
}
