//! A function of the crate.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    helper(x)
}

fn helper(x: f32) -> f32 {
    x
}

fn main() {}
