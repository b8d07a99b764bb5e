//! A length that only the run knows.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: &[f32], y: &mut [f32]) {
    let sums = [0.0_f32; N];
    y[0] = x[0] + sums[0];
}

const N: usize = 4;

fn main() {}
