//! `NotEqual`: whether elements differ.

use super::shapes::answer_for_incompatible_shapes;
use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Lanes, binary_cloned, binary_into};
use oplink_ops::math::NotEqual;

/// `NotEqual` of numbers, on the host.
#[kernel(NotEqual, device = CPU, T = [bool, numbers, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn not_equal_cpu<T: Lanes<Lane: PartialEq>>(context: &mut KernelContext<'_>) -> Result<()> {
    if answer_for_incompatible_shapes(context, true)? {
        return Ok(());
    }
    binary_into::<T, bool>(context, |x, y| x != y)
}

#[kernel(NotEqual, device = CPU, T = [TString])]
fn not_equal_strings_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    if answer_for_incompatible_shapes(context, true)? {
        return Ok(());
    }
    binary_cloned::<TString, bool>(context, |x, y| x != y)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn values_are_those_of_tensorflow() {
        check("NotEqual", [[1.0f32, f32::NAN, -0.0].into(), [1.0f32, f32::NAN, 0.0].into()], [false, true, false]);
        check("NotEqual", [["a", "b"].map(TString::from).into(), "b".into()], [true, false]);
        check("NotEqual", [[true, false].into(), true.into()], [false, true]);
    }

    #[test]
    fn incompatible_shapes_are_an_error_or_unequal() {
        let inputs = || [[1, 2].into(), [1, 2, 3].into()];
        check_error("NotEqual", inputs(), "ncompatible shapes: [2]");
        check_with("NotEqual", &[("incompatible_shape_error", AttrValue::Bool(false))], inputs(), true);
    }
}
