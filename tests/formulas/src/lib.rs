//! An elementwise op of a third party: a declaration and one formula, for every device.

use oplink::prelude::*;

/// `(x + sqrt(x^2 + b)) / 2`: a smooth `Relu` (J. T. Barron, Squareplus: A Softplus-Like Algebraic Rectifier, 2021).
#[op("Squareplus", input = "x: T", output = "y: T", attr = "b: float = 4.0", attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Squareplus;

/// One formula.
#[kernel(Squareplus, device = [CPU, GPU], scalar, T = [floats])]
pub fn squareplus_of<T: Float>(x: T, b: f32) -> T {
    (x + (x * x + T::from_f32(b)).sqrt()) * T::from_float(0.5)
}

oplink::anchor!(ops = 1, kernels = 2);
