//! `Equal` and `NotEqual`: whether elements are equal, with one answer for all where shapes do not broadcast.

use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Computed, binary_cloned, binary_into};
use oplink_ops::math::{Equal, NotEqual};

/// `Equal` of numbers.
#[kernel(Equal, device = CPU, T = [bool, numbers, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn equal_cpu<T: Computed<ComputeType: PartialEq>>(
    x: &Tensor,
    y: &Tensor,
    mut z: OutputSlot<'_>,
    incompatible_shape_error: bool,
    env: Env<'_>,
) -> Result<()> {
    if !incompatible_shape_error && !broadcasts(x, y) {
        z.set_scalar(false);
        return Ok(());
    }
    binary_into::<T, bool>(x, y, z, env, |x, y| x == y)
}

/// `NotEqual` of numbers.
#[kernel(NotEqual, device = CPU, T = [bool, numbers, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn not_equal_cpu<T: Computed<ComputeType: PartialEq>>(
    x: &Tensor,
    y: &Tensor,
    mut z: OutputSlot<'_>,
    incompatible_shape_error: bool,
    env: Env<'_>,
) -> Result<()> {
    if !incompatible_shape_error && !broadcasts(x, y) {
        z.set_scalar(true);
        return Ok(());
    }
    binary_into::<T, bool>(x, y, z, env, |x, y| x != y)
}

/// `Equal` of strings.
#[kernel(Equal, device = CPU, T = [TString])]
pub fn equal_strings_cpu(x: &Tensor, y: &Tensor, mut z: OutputSlot<'_>, incompatible_shape_error: bool) -> Result<()> {
    if !incompatible_shape_error && !broadcasts(x, y) {
        z.set_scalar(false);
        return Ok(());
    }
    binary_cloned::<TString, bool>(x, y, z, |x, y| x == y)
}

/// `NotEqual` of strings.
#[kernel(NotEqual, device = CPU, T = [TString])]
pub fn not_equal_strings_cpu(
    x: &Tensor,
    y: &Tensor,
    mut z: OutputSlot<'_>,
    incompatible_shape_error: bool,
) -> Result<()> {
    if !incompatible_shape_error && !broadcasts(x, y) {
        z.set_scalar(true);
        return Ok(());
    }
    binary_cloned::<TString, bool>(x, y, z, |x, y| x != y)
}

fn broadcasts(x: &Tensor, y: &Tensor) -> bool {
    x.shape() == y.shape() || oplink::shape_inference::broadcast_shapes(x.shape(), y.shape()).is_ok()
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn values_are_those_of_tensorflow() {
        check("Equal", [[1.0f32, f32::NAN, -0.0].into(), [1.0f32, f32::NAN, 0.0].into()], [true, false, true]);
        check("Equal", [["a", "b"].map(TString::from).into(), "b".into()], [false, true]);
        let empty = |dtype, dims: [usize; 2]| Tensor::zeros(dtype, dims).unwrap();
        check("Equal", [empty(DType::String, [0, 3]), "b".into()], empty(DType::Bool, [0, 3]));
        check("Equal", [[true, false].into(), true.into()], [true, false]);
        check("NotEqual", [[1.0f32, f32::NAN, -0.0].into(), [1.0f32, f32::NAN, 0.0].into()], [false, true, false]);
        check("NotEqual", [["a", "b"].map(TString::from).into(), "b".into()], [true, false]);
        check("NotEqual", [[true, false].into(), true.into()], [false, true]);
    }

    #[test]
    fn incompatible_shapes_are_an_error_or_unequal() {
        let inputs = || [[1, 2].into(), [1, 2, 3].into()];
        let strings = || [["a", "b"].map(TString::from).into(), ["a", "b", "c"].map(TString::from).into()];
        for (op, answer) in [("Equal", false), ("NotEqual", true)] {
            check_error(op, inputs(), "ncompatible shapes: [2]");
            check_error(op, strings(), "ncompatible shapes: [2]");
            let attrs = [("incompatible_shape_error", AttrValue::Bool(false))];
            check_with(op, &attrs, inputs(), answer);
            check_with(op, &attrs, strings(), answer);
        }
    }
}
