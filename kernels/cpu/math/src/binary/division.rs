//! Quotients and remainders of integers, which are errors where a divisor is 0, and rounded quotients of 16-bit floats.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed, Divide, binary, check_divisors};
use oplink_ops::math::{Div, FloorDiv, FloorMod, Mod, TruncateDiv, TruncateMod};

/// `Div` and `TruncateDiv` of integers: rounded towards zero.
#[kernel(Div, device = CPU, T = [integers])]
#[kernel(TruncateDiv, device = CPU, T = [integers])]
pub fn truncate_div_integers_cpu<T: Computed<ComputeType: Divide>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    divide::<T>(x, y, z, env, Divide::truncate_div)
}

/// `FloorDiv` of integers: rounded towards negative infinity.
#[kernel(FloorDiv, device = CPU, T = [integers])]
pub fn floor_div_integers_cpu<T: Computed<ComputeType: Divide>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    divide::<T>(x, y, z, env, Divide::floor_div)
}

/// `FloorMod` of integers: with the sign of the divisor.
#[kernel(FloorMod, device = CPU, T = [integers])]
pub fn floor_mod_integers_cpu<T: Computed<ComputeType: Divide>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    divide::<T>(x, y, z, env, Divide::floor_mod)
}

/// `Mod` and `TruncateMod` of integers: with the sign of the dividend.
#[kernel(Mod, device = CPU, T = [i32, i64])]
#[kernel(TruncateMod, device = CPU, T = [i32, i64])]
pub fn truncate_mod_integers_cpu<T: Computed<ComputeType: Divide>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    divide::<T>(x, y, z, env, Divide::truncate_mod)
}

/// `FloorDiv` of 16-bit floats: the quotient is rounded to them before it is rounded down.
#[kernel(FloorDiv, device = CPU, T = [f16, bf16])]
pub fn floor_div_small_floats_cpu<T: Computed<ComputeType: Divide + Float>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    binary::<T>(x, y, z, env, |x, y| T::from_computed(x / y).to_computed().floor_div(T::ComputeType::ONE))
}

/// `TruncateDiv` of 16-bit floats: the quotient is rounded to them before it is rounded towards zero.
#[kernel(TruncateDiv, device = CPU, T = [f16, bf16])]
pub fn truncate_div_small_floats_cpu<T: Computed<ComputeType: Divide + Float>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    binary::<T>(x, y, z, env, |x, y| T::from_computed(x / y).to_computed().truncate_div(T::ComputeType::ONE))
}

#[inline]
fn divide<T: Computed<ComputeType: Divide>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
    f: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType + Copy + Sync,
) -> Result<()> {
    check_divisors::<T>(&x, &y)?;
    binary::<T>(x, y, z, env, f)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        let x = [7i32, -7, 7, -7, i32::MIN, i32::MIN];
        let y = [2i32, 2, -2, -2, -1, 3];
        for (op, expected) in [
            ("Div", [3i32, -3, -3, 3, i32::MIN, -715827882]),
            ("TruncateDiv", [3i32, -3, -3, 3, i32::MIN, -715827882]),
            ("FloorDiv", [3i32, -4, -4, 3, i32::MIN, -715827883]),
            ("FloorMod", [1i32, 1, -1, -1, 0, 1]),
            ("Mod", [1i32, -1, 1, -1, 0, -2]),
            ("TruncateMod", [1i32, -1, 1, -1, 0, -2]),
        ] {
            check(op, [x.into(), y.into()], expected);
            check_error(op, [[1i32, 2].into(), [1i32, 0].into()], "Integer division by zero");
            check(op, [[0i32; 0].into(), [0i32].into()], [0i32; 0]);
        }
    }

    #[test]
    fn quotients_are_rounded_twice() {
        let half = |x| Tensor::from([f16::from_f32(x)]);
        check("FloorDiv", [half(-2.921875), half(-0.0022811889)], half(1281.0));
        let short = |x| Tensor::from([bf16::from_f32(x)]);
        check("TruncateDiv", [short(-4.09375), short(0.37304688)], short(-11.0));
    }

    #[test]
    fn scalars_and_rows_broadcast() {
        let matrix = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        check("FloorDiv", [matrix.clone(), 2.into()], Tensor::from_vec([2, 3], vec![0, 1, 1, 2, 2, 3]).unwrap());
        check("FloorDiv", [12.into(), matrix.clone()], Tensor::from_vec([2, 3], vec![12, 6, 4, 3, 2, 2]).unwrap());
        check("FloorMod", [matrix, [2, 3, 4].into()], Tensor::from_vec([2, 3], vec![1, 2, 3, 0, 2, 2]).unwrap());
        check("FloorDiv", [7.into(), 2.into()], 3);
        check_error("FloorDiv", [[1, 2].into(), [1, 2, 3].into()], "ncompatible shapes");
    }
}
