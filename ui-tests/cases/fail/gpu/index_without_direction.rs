//! A position without a direction.

use oplink::gpu::*;
use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: &[f32], y: &mut [f32]) {
    let _at = thread_index();
    y[0] = x[0];
}

fn main() {}
