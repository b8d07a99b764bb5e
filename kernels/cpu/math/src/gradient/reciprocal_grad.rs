//! `ReciprocalGrad`: the gradient of `Reciprocal`.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, ComplexLane, Lanes, same_size_binary};
use oplink_ops::math::ReciprocalGrad;

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

    use oplink_cpu_support::testing::{check, check_error};

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
