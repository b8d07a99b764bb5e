//! A type that GPUs do not have.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    let wide = x as i128;
    wide as f32
}

fn main() {}
