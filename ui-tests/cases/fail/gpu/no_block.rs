//! No size of blocks.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

fn main() {}
