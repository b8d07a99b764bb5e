//! `Cast`: the same numbers in another dtype.

use super::pairs::{Target, convert_to};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::math::Cast;

/// `Cast` among numbers and bool; equal types share memory.
#[kernel(Cast, device = CPU, SrcT = [bool, numbers], DstT = [bool, numbers])]
pub fn cast_cpu<DstT: Computed<ComputeType: Target>>(
    x: Input<'_>,
    mut y: OutputSlot<'_>,
    truncate: bool,
    env: Env<'_>,
) -> Result<()> {
    if x.dtype() == DstT::DTYPE {
        y.set(x.take());
        return Ok(());
    }
    convert_to::<DstT>(env.env(), &x, y.allocate(x.shape().clone())?, truncate)
}

/// Strings become nothing but strings.
#[kernel(Cast, device = CPU, SrcT = [TString], DstT = [TString])]
pub fn cast_strings_cpu(x: Input<'_>) -> Tensor {
    x.take()
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check_with;

    fn cast(x: impl Into<Tensor>, truncate: bool, expected: impl Into<Tensor>) {
        let expected = expected.into();
        let attrs = [("DstT", AttrValue::Type(expected.dtype())), ("Truncate", AttrValue::Bool(truncate))];
        check_with("Cast", &attrs, [x.into()], expected);
    }

    #[test]
    fn values_are_those_of_tensorflow() {
        cast([1.5f32, -1.5, 300.0, f32::NAN, 2147483648.0], false, [1, -1, 300, i32::MIN, i32::MIN]);
        cast([1.5f64, -1.5, 300.0, f64::NAN], false, [1u8, 255, 44, 0]);
        cast([1.5f64, -1.5, 9.3e18, f64::NAN], false, [1u64, u64::MAX, 9_300_000_000_000_000_000, 1 << 63]);
        cast([1i64, 65537, -300], false, [1i8, 1, -44]);
        cast([true, false], false, [Complex::new(1.0f64, 0.0), Complex::default()]);
        cast([Complex::new(0.0f32, 2.0), Complex::new(0.5, 0.0)], false, [false, true]);
        cast(["a"].map(TString::from), false, ["a"].map(TString::from));
        cast([65537, i32::MAX], false, [f16::INFINITY, f16::INFINITY]);
    }

    #[test]
    fn truncation_rounds_towards_zero() {
        let x = [1.0f32 + 3.0 / 512.0, 65520.0];
        cast(x, false, [1.0078125f32, 65536.0].map(bf16::from_f32));
        cast(x, true, [1.0f32, 65280.0].map(bf16::from_f32));
        cast([65520.0f32], true, [f16::MAX]);
        cast([1.0f64 + 2f64.powi(-24) + 2f64.powi(-40)], true, [1.0f32]);
        let part = 1.0 + 2f64.powi(-24) + 2f64.powi(-25);
        cast([Complex::new(part, -part)], true, [Complex::new(1.0f32, -1.0)]);
        cast([Complex::new(65520.0f32, 1.0)], true, [f16::MAX]);
    }
}
