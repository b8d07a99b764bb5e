//! A value that nothing gives.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: &[f32], y: &mut [f32], rows: u32) {
    y[0] = x[rows as usize];
}

fn main() {}
