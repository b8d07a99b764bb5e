//! A pattern.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    if let 1..=4 = x as i32 { x } else { 0.0 }
}

fn main() {}
