//! `TanhGrad`: the gradient of `Tanh`.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, same_size_binary};

/// Computes `dy * (1 - y * y)`, where `y = tanh(x)`.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "TanhGrad",
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct TanhGrad;

#[kernel(TanhGrad, device = CPU, T = [floats, complex])]
fn tanh_grad_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_size_binary::<T>(context, |y, dy| dy.mul(T::Lane::ONE.sub(y.mul(y))))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "TanhGrad",
            [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
            [2.8125f32, -1.5, f32::NAN, 0.0, f32::NAN],
        );
        check(
            "TanhGrad",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
            [Complex::new(8.0f32, -16.0)],
        );
        check_error(
            "TanhGrad",
            [[1.0f32, 2.0].into(), [1.0f32].into()],
            "The two arguments to a cwise op must have same number of elements, got 2 and 1",
        );
    }
}
