//! A kernel fails with an error of its own.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> std::result::Result<ArrayD<f32>, String> {
    Ok(x.to_owned())
}

fn main() {}
