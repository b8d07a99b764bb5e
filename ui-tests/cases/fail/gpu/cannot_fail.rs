//! A result.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, scalar, T = [f32])]
fn bad(x: f32) -> Result<f32> {
    Ok(x)
}

fn main() {}
