//! A tensor without a context to launch anything with.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = [CPU, GPU], T = [f32])]
fn bad(x: &Tensor) -> Tensor {
    x.clone()
}

fn main() {}
