//! An output that is not written.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32], block = 64)]
fn bad(x: &[f32]) {
    let _n = x.len();
}

fn main() {}
