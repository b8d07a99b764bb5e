//! A text that is no literal.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64, cuda = TEXT)]
fn bad(x: &[f32], y: &mut [f32]) {
    let _ = (x, y);
}

fn main() {}
