//! A formula for two devices over a type that GPUs do not have.

use oplink::prelude::*;

#[op("UiSquare", input = "x: T", output = "y: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct UiSquare;

#[kernel(UiSquare, device = [CPU, GPU], scalar, T = [f32, complex])]
fn bad<T: Number>(x: T) -> T {
    x * x
}

fn main() {}
