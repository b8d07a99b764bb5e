//! Normal numbers: pairs of drawn numbers through the transform of Box and Muller. The 16-bit floats are rounded from
//! single precision.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::philox::Philox;
use oplink_ops::random::draws::{Normal, RandomBackend};

use super::box_muller::{normal_pair, normal_pair_of_doubles};
use super::philox::{Position, draw, position};
use crate::movement::{Device, words};

impl RandomBackend<Normal> for Device {
    fn fill(env: Env<'_>, out: &mut Tensor, start: Philox, _: &Normal) -> Result<()> {
        let (device, dtype, count) = (env.device()?, out.dtype(), out.num_elements());
        let start = position(start);
        if dtype == DType::Double {
            let grid = normal_doubles::blocks(count.div_ceil(2));
            return normal_doubles { out, count: words(count)?, start }.launch(device, grid);
        }
        let grid = normal_numbers::blocks(count.div_ceil(4));
        normal_numbers { out, count: words(count)?, start }.launch(device, dtype, grid)
    }
}

/// A block is four numbers.
#[program(block = 256, T = [f32, f16, bf16])]
fn normal_numbers<T: Float>(out: &mut [T], count: u32, start: Position) {
    for group in grid_stride((count as usize - 1) / 4 + 1) {
        let block = draw(start, group as u32, 0);
        for half in 0..2_usize {
            let pair = normal_pair(block[half * 2], block[half * 2 + 1]);
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
#[program(block = 256)]
fn normal_doubles(out: &mut [f64], count: u32, start: Position) {
    for group in grid_stride((count as usize - 1) / 2 + 1) {
        let block = draw(start, group as u32, 0);
        let pair = normal_pair_of_doubles(block);
        let at = group * 2;
        out[at] = pair[0];
        if at + 1 < count as usize {
            out[at + 1] = pair[1];
        }
    }
}
