//! A part of a buffer.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: &[f32], y: &mut [f32]) {
    let _part = &x[0..4];
    y[0] = x[0];
}

fn main() {}
