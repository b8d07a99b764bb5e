//! The op is misspelt behind the path of its module.

use oplink::prelude::*;

#[kernel(oplink_ui_ops::UiReluu, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
