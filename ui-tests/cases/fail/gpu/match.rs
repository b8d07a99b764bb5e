//! A `match`.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    match x > 0.0 {
        true => x,
        false => 0.0,
    }
}

fn main() {}
