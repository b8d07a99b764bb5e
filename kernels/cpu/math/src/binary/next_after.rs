//! `NextAfter`: the next number towards another.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::binary;
use oplink_ops::math::NextAfter;

#[kernel(NextAfter, device = CPU, T = [f32])]
fn next_after_single_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<f32>(context, libm::nextafterf)
}

#[kernel(NextAfter, device = CPU, T = [f64])]
fn next_after_double_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<f64>(context, libm::nextafter)
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "NextAfter",
            [[1.0f32, f32::NAN, f32::INFINITY, 1.0].into(), [2.0f32, 1.0, 0.0, 1.0].into()],
            [1.0000001f32, f32::NAN, 3.4028235e38, 1.0],
        );
        check("NextAfter", [[0.0f64, 1.0].into(), [-1.0f64, 0.0].into()], [-5e-324f64, 0.9999999999999999]);
    }
}
