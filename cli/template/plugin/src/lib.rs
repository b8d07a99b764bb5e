//! A plugin for oplink and TensorFlow 2.21: `cargo build --release` makes `target/release/lib{crate_name}.so`.

use oplink::prelude::*;

/// `y = x * scale + shift`, elementwise.
#[op("ScaleShift", input = "x: T", output = "y: T", attr = "scale: float = 1.0", attr = "shift: float = 0.0",
     attr = "T: {float, double}", shape = shape_fns::unchanged)]
pub struct ScaleShift;

/// In place, where nobody else needs `x`.
#[kernel(ScaleShift, device = CPU, T = [f32, f64], forward(x => y))]
pub fn scale_shift<T: Float>(y: InOut<'_, T>, scale: f32, shift: f32) {
    let number = |value: f32| T::from(value).unwrap_or_else(T::zero);
    let (scale, shift) = (number(scale), number(shift));
    y.map(|x| x * scale + shift);
}

library! { pub OPS; ops::{ScaleShift}, kernels::{scale_shift} }

plugin! { OPS }
