//! A misspelt kernel.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = CPU, T = [f32])]
fn ui_relu_cpu(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

library! { pub LIST; kernels::{ui_relu_cup} }

fn main() {}
