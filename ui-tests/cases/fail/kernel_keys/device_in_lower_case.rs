//! The device is in lower case.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = cpu, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
