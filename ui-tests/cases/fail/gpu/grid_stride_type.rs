//! A count that is no index.

use oplink::gpu::grid_stride;
use oplink::prelude::*;

#[program(block = 64)]
fn bad(y: &mut [f32], count: i32) {
    for at in grid_stride(count) {
        y[at as usize] = 1.0;
    }
}

fn main() {}
