//! `SigmoidGrad`: the gradient of `Sigmoid`.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, same_size_binary};

/// Computes `dy * y * (1 - y)`, where `y = sigmoid(x)`.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "SigmoidGrad",
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct SigmoidGrad;

#[kernel(SigmoidGrad, device = CPU, T = [floats, complex])]
fn sigmoid_grad_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_size_binary::<T>(context, |y, dy| dy.mul(y).mul(T::Lane::ONE.sub(y)))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "SigmoidGrad",
            [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
            [0.5625f32, -3.0, f32::NAN, 0.0, f32::NAN],
        );
        check(
            "SigmoidGrad",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
            [Complex::new(10.0f32, -10.0)],
        );
        check_error(
            "SigmoidGrad",
            [[1.0f32, 2.0].into(), [1.0f32].into()],
            "The two arguments to a cwise op must have same number of elements, got 2 and 1",
        );
    }
}
