//! Shared memory inside of a block.

use oplink::gpu::*;
use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: &[f32], y: &mut [f32]) {
    if x.len() > 1 {
        let sums = shared::<f32, 4>();
        y[0] = sums[0];
    }
}

fn main() {}
