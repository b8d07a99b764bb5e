//! Another type than the op has.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f64) -> f32 {
    x as f32
}

fn main() {}
