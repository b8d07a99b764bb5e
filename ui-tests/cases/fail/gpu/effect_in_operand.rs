//! An assignment inside of an expression.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    let mut y = x;
    x + {
        y += 1.0;
        y
    }
}

fn main() {}
