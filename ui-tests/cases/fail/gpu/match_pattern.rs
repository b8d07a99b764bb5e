//! A pattern with parts.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32])]
fn bad(x: f32) -> f32 {
    match (x as u32) % 4 {
        n @ 1..=2 => n as f32,
        _ => 0.0,
    }
}

fn main() {}
