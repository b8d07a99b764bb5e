//! `SelectV2`: elements of one tensor or the other, with broadcasting.

use oplink::ResourceHandle;
use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_support::elementwise::{Broadcast, choose};
use oplink_ops::math::SelectV2;

/// `SelectV2` of any element.
#[kernel(SelectV2, device = CPU, T = [bool, numbers, TString, ResourceHandle, Variant, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn select_v2_cpu<T: Element>(
    condition: &Tensor,
    t: &Tensor,
    e: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let inputs = [condition, t, e];
    let [condition, t, e] = inputs.map(Tensor::shape);
    let broadcast = Broadcast::new([condition, t, e]).map_err(|_| {
        Error::invalid_argument(format!("condition {condition}, then {t}, and else {e} must be broadcastable"))
    })?;
    choose::<T>(inputs, output, env, &broadcast)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        let t = Tensor::from([1.0f32, 2.0, 3.0, 4.0]).with_shape([2, 2]).unwrap();
        let expected = Tensor::from([1.0f32, 0.0, 3.0, 0.0]).with_shape([2, 2]).unwrap();
        check("SelectV2", [[true, false].into(), t.clone(), 0.0f32.into()], expected);
        check("SelectV2", [true.into(), 1.into(), [2, 3].into()], [1, 1]);
        let names = ["a", "b", "c"].map(TString::from);
        check("SelectV2", [[true, false, true].into(), names.into(), "-".into()], ["a", "-", "c"].map(TString::from));
        check_error("SelectV2", [[true, false, true].into(), t, 0.0f32.into()], "must be broadcastable");
    }
}
