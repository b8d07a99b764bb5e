//! A buffer as a value.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: &[f32], y: &mut [f32]) {
    let _z = x;
    y[0] = 1.0;
}

fn main() {}
