//! A position in a function of one element.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    x + oplink::gpu::thread_index().x as f32
}

fn main() {}
