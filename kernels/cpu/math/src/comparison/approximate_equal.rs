//! `ApproximateEqual`: whether elements are equal but for a tolerance.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{FloatLane, Lanes, Signed, binary_into};
use oplink_ops::math::ApproximateEqual;

#[kernel(ApproximateEqual, device = CPU, T = [f32, f64])]
fn approximate_equal_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    let (x, y) = (context.input(0).shape(), context.input(1).shape());
    ensure!(x == y, "x and y must be of the same shape. x shape: {x}. y shape: {y}");
    let tolerance = T::Lane::from_f32(context.attr("tolerance")?);
    binary_into::<T, bool>(context, |x, y| (x - y).abs() <= tolerance)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn values_are_those_of_tensorflow() {
        let (x, y) = ([1.0f32, 1.0, f32::NAN, f32::INFINITY], [1.000001f32, 1.1, f32::NAN, f32::INFINITY]);
        check("ApproximateEqual", [x.into(), y.into()], [true, false, false, false]);
        let tolerance = [("tolerance", AttrValue::Float(0.5))];
        check_with("ApproximateEqual", &tolerance, [[1.0f32, 1.0].into(), [1.5f32, 1.6].into()], [true, false]);
        check_error("ApproximateEqual", [[1.0f32, 1.0].into(), [1.5f32].into()], "must be of the same shape");
    }
}
