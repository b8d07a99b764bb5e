//! The one type of an attr without brackets.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = f32)]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
