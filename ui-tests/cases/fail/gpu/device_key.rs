//! A key of a device that is no key of kernels.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = [CPU, GPU(U = [f32])], scalar, T = [f32, i32])]
fn bad<T: Number>(x: T) -> T {
    x
}

fn main() {}
