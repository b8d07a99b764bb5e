//! `block` for the host.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32], block = 64)]
fn bad(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
}

fn main() {}
