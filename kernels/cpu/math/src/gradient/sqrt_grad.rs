//! `SqrtGrad`: the gradient of `Sqrt`.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{Arithmetic, ComplexLane, Lanes, same_size_binary};
use oplink_ops::math::SqrtGrad;

#[kernel(SqrtGrad, device = CPU, T = [complex])]
fn sqrt_grad_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_size_binary::<T>(context, |y, dy| {
        if dy == T::Lane::ZERO {
            return dy;
        }
        T::Lane::from_double(complex::div(dy.to_double() * 0.5, y.to_double().conj()))
    })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "SqrtGrad",
            [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
            [6.0f32, -0.125, f32::NAN, 0.0, 0.0],
        );
        check(
            "SqrtGrad",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
            [Complex::new(0.5f32, 0.5)],
        );
        check_error(
            "SqrtGrad",
            [[1.0f32, 2.0].into(), [1.0f32].into()],
            "The two arguments to a cwise op must have same number of elements, got 2 and 1",
        );
    }
}
