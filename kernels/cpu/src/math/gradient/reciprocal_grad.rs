//! `ReciprocalGrad`: the gradient of `Reciprocal`.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, ComplexLane, FloatLane, Lanes, same_size_binary};

/// Computes `-dy * y * y`, where `y = 1 / x`; 0 where `dy` is. Complex `y` is conjugated.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "ReciprocalGrad",
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct ReciprocalGrad;

#[kernel(ReciprocalGrad, device = CPU, T = [floats])]
fn reciprocal_grad_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_size_binary::<T>(context, |y, dy| if dy == T::Lane::ZERO { dy } else { -dy * (y * y) })
}

#[kernel(ReciprocalGrad, device = CPU, T = [complex])]
fn reciprocal_grad_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_size_binary::<T>(context, |y, dy| {
        if dy == T::Lane::ZERO {
            return dy;
        }
        let y = y.to_double().conj();
        T::Lane::from_double(-dy.to_double() * (y * y))
    })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "ReciprocalGrad",
            [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
            [-0.1875f32, -2.0, f32::NAN, 0.0, 0.0],
        );
        check(
            "ReciprocalGrad",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
            [Complex::new(13.0f32, 9.0)],
        );
        check_error(
            "ReciprocalGrad",
            [[1.0f32, 2.0].into(), [1.0f32].into()],
            "The two arguments to a cwise op must have same number of elements, got 2 and 1",
        );
    }
}
