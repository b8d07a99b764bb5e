//! An argument that a launch leaves out.

use oplink::device::DeviceContext;
use oplink::prelude::*;

#[program(block = 64, T = [f32])]
fn scale<T: Float>(x: &[T], y: &mut [T], by: f32) {
    y[0] = x[0] * T::from_f32(by);
}

pub fn launch(device: &dyn DeviceContext, x: &Tensor) -> Result<()> {
    scale { x, y: x }.launch(device, DType::Float, scale::blocks(1))
}

fn main() {}
