//! A type of tensors that GPUs do not have.

use oplink::prelude::*;
use oplink_ui_ops::UiRelu;

#[kernel(UiRelu, device = GPU, T = [f32, MyFloat])]
fn bad<T: Number>(x: T) -> T {
    x
}

type MyFloat = i32;

fn main() {}
