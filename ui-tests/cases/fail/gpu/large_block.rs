//! More threads than a block may have.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 4096)]
fn bad(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

fn main() {}
