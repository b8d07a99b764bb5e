//! A kernel of every type takes one of them.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = any)]
fn bad(x: ArrayViewD<'_, f32>) -> Tensor {
    Tensor::from_array(x.to_owned())
}

fn main() {}
