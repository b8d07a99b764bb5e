//! Ops for TensorFlow, PyTorch, JAX, ONNX Runtime and oplink: `cargo build --release` makes
//! `target/release/lib{crate_name}.so`, and `oplink wheel` a Python package of it.

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

/// With respect to `x` alone: `scale` and `shift` are attrs.
#[gradient(ScaleShift)]
pub fn scale_shift_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(ScaleShift::builder().scale(op.attr("scale")?).build(scope, dy[0])?)])
}

library! { pub OPS; ops::{ScaleShift}, kernels::{scale_shift}, gradients::{scale_shift_gradient} }

plugin! { OPS }
