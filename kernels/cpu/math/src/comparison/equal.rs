//! `Equal`: whether elements are equal.

use super::shapes::answer_for_incompatible_shapes;
use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Lanes, binary_cloned, binary_into};
use oplink_ops::math::Equal;

/// `Equal` of numbers, on the host.
#[kernel(Equal, device = CPU, T = [bool, numbers, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn equal_cpu<T: Lanes<Lane: PartialEq>>(context: &mut KernelContext<'_>) -> Result<()> {
    if answer_for_incompatible_shapes(context, false)? {
        return Ok(());
    }
    binary_into::<T, bool>(context, |x, y| x == y)
}

#[kernel(Equal, device = CPU, T = [TString])]
fn equal_strings_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    if answer_for_incompatible_shapes(context, false)? {
        return Ok(());
    }
    binary_cloned::<TString, bool>(context, |x, y| x == y)
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
    }

    #[test]
    fn incompatible_shapes_are_an_error_or_unequal() {
        let inputs = || [[1, 2].into(), [1, 2, 3].into()];
        check_error("Equal", inputs(), "ncompatible shapes: [2]");
        check_with("Equal", &[("incompatible_shape_error", AttrValue::Bool(false))], inputs(), false);
    }
}
