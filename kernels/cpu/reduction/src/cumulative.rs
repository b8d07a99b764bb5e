//! `Cumsum`, `Cumprod` and `CumulativeLogsumexp`: running sums, products, and logarithms of sums of exponentials along
//! an axis.
//!
//! `axis` is a scalar, negative counted from the end; the output has the input's shape. With `reverse` the scan runs
//! from the end; with `exclusive` each element gets the result of those before it, the first one 0, 1 or negative
//! infinity. The 16-bit floats are computed in f32; integers wrap. No intermediate result of `CumulativeLogsumexp`
//! overflows; there, NaN stays from its position on, and after infinity the result stays infinity.

use super::scan::{Mode, scan};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, ComputeFloat, Computed};
use oplink_ops::reduction::{Cumprod, Cumsum, CumulativeLogsumexp};

/// `Cumsum` for every number.
#[kernel(Cumsum, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn cumsum_cpu<T: Computed<ComputeType: Arithmetic>>(
    x: Input<'_>,
    axis: &Tensor,
    exclusive: bool,
    reverse: bool,
    mut out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    scan::<T>(x, axis, Mode { exclusive, reverse }, (T::ComputeType::ZERO, T::ComputeType::add), &mut out, &env)
}

/// `Cumprod` for every number.
#[kernel(Cumprod, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn cumprod_cpu<T: Computed<ComputeType: Arithmetic>>(
    x: Input<'_>,
    axis: &Tensor,
    exclusive: bool,
    reverse: bool,
    mut out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    scan::<T>(x, axis, Mode { exclusive, reverse }, (T::ComputeType::ONE, T::ComputeType::mul), &mut out, &env)
}

/// `CumulativeLogsumexp` for every real floating-point number.
#[kernel(CumulativeLogsumexp, device = CPU, T = [floats], Tidx = [i32, i64], host_memory(axis))]
pub fn cumulative_logsumexp_cpu<T: Computed<ComputeType: ComputeFloat>>(
    x: Input<'_>,
    axis: &Tensor,
    exclusive: bool,
    reverse: bool,
    mut out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    scan::<T>(x, axis, Mode { exclusive, reverse }, (T::ComputeType::LOWEST, logsumexp), &mut out, &env)
}

/// `ln(exp(a) + exp(b))`.
#[inline]
fn logsumexp<L: ComputeFloat>(a: L, b: L) -> L {
    if a.is_nan_value() || b.is_nan_value() {
        return a + b;
    }
    let (larger, smaller) = if a > b { (a, b) } else { (b, a) };
    if larger.is_infinite() {
        return larger;
    }
    larger + (smaller - larger).exp().ln_1p()
}

#[cfg(test)]
mod cumsum_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn both_ways_with_and_without_the_element() {
        for (exclusive, reverse, expected) in [
            (false, false, [1.0f32, 3.0, 6.0, 10.0]),
            (false, true, [10.0, 9.0, 7.0, 4.0]),
            (true, false, [0.0, 1.0, 3.0, 6.0]),
            (true, true, [9.0, 7.0, 4.0, 0.0]),
        ] {
            let attrs = [("exclusive", exclusive.into()), ("reverse", reverse.into())];
            check_with("Cumsum", &attrs, [[1.0f32, 2.0, 3.0, 4.0].into(), 0.into()], expected);
            let columns: Vec<f32> = [1.0, 2.0, 3.0, 4.0].iter().flat_map(|&x| [x, 10.0 * x]).collect();
            let expected: Vec<f32> = expected.iter().flat_map(|&x| [x, 10.0 * x]).collect();
            let inputs = [Tensor::from_vec([4, 2], columns).unwrap(), (-2i64).into()];
            check_with("Cumsum", &attrs, inputs, Tensor::from_vec([4, 2], expected).unwrap());
        }
    }

    #[test]
    fn dtypes_and_empty() {
        check("Cumsum", [[100u8, 100, 100].into(), 0.into()], [100u8, 200, 44]);
        let ones = vec![bf16::ONE; 600];
        let expected: Vec<bf16> = (1..=600).map(|i| bf16::from_f32(i as f32)).collect();
        check("Cumsum", [ones.into(), 0.into()], expected);
        check(
            "Cumsum",
            [Tensor::zeros(DType::Float, [0, 2]).unwrap(), 0.into()],
            Tensor::zeros(DType::Float, [0, 2]).unwrap(),
        );
    }

    #[test]
    fn wrong_axes_are_errors() {
        check_error("Cumsum", [[1.0f32].into(), 1.into()], "axis 1 is outside");
        check_error("Cumsum", [[1.0f32].into(), [0].into()], "axis must be a scalar");
        check_error("Cumsum", [1.0f32.into(), 0.into()], "axis 0 is outside");
    }
}

#[cfg(test)]
mod cumprod_tests {
    use super::*;
    use oplink_cpu_support::testing::check_with;

    #[test]
    fn both_ways_with_and_without_the_element() {
        for (exclusive, reverse, expected) in [
            (false, false, [1, 2, 6, 24]),
            (false, true, [24, 24, 12, 4]),
            (true, false, [1, 1, 2, 6]),
            (true, true, [24, 12, 4, 1]),
        ] {
            let attrs = [("exclusive", exclusive.into()), ("reverse", reverse.into())];
            check_with("Cumprod", &attrs, [[1, 2, 3, 4].into(), 0i64.into()], expected);
            let expected = expected.map(|x| Complex::new(f64::from(x), 0.0));
            check_with(
                "Cumprod",
                &attrs,
                [[1.0, 2.0, 3.0, 4.0].map(|x| Complex::new(x, 0.0)).into(), (-1).into()],
                expected,
            );
        }
    }
}

#[cfg(test)]
mod cumulative_logsumexp_tests {
    use oplink_cpu_support::testing::{check, check_with};

    #[test]
    fn both_ways_with_and_without_the_element() {
        let low = f32::NEG_INFINITY;
        for (exclusive, reverse, expected) in [
            (false, false, [1.0f32, 2.313_261_7, 3.407_606, 4.440_19]),
            (false, true, [4.440_189_4, 4.407_606, 4.313_261_5, 4.0]),
            (true, false, [low, 1.0, 2.313_261_7, 3.407_606]),
            (true, true, [4.407_606, 4.313_261_5, 4.0, low]),
        ] {
            let attrs = [("exclusive", exclusive.into()), ("reverse", reverse.into())];
            check_with("CumulativeLogsumexp", &attrs, [[1.0f32, 2.0, 3.0, 4.0].into(), 0.into()], expected);
        }
    }

    #[test]
    fn infinities_and_large_numbers() {
        let (low, high, nan) = (f64::NEG_INFINITY, f64::INFINITY, f64::NAN);
        check("CumulativeLogsumexp", [[low, low, 1.0, high, 2.0].into(), 0.into()], [low, low, 1.0, high, high]);
        check("CumulativeLogsumexp", [[1.0, nan, 1.0].into(), 0.into()], [1.0, nan, nan]);
        check("CumulativeLogsumexp", [[1000.0, 1000.0].into(), 0.into()], [1000.0, 1000.0 + std::f64::consts::LN_2]);
    }
}
