//! A vector is given where a tensor is taken.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

pub fn bad() -> Result<Tensor> {
    UiRelu::call(vec![1.0_f32, 2.0])
}

fn main() {}
