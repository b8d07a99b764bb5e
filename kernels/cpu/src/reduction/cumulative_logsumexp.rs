//! `CumulativeLogsumexp`: running logarithms of sums of exponentials along an axis.
//!
//! `axis`, `reverse` and `exclusive` as for `Cumsum`; the first element of an exclusive scan is negative infinity. No
//! intermediate result overflows. NaN stays from its place on; once infinity came, the result stays infinity. The 16-bit
//! floats are computed in f32.

use oplink::prelude::*;

use super::scan::scan;
use crate::support::elementwise::{FloatLane, Lanes};

/// The running logarithms of sums of exponentials of `x` along `axis`.
#[op("CumulativeLogsumexp",
     input = "x: T",
     input = "axis: Tidx",
     output = "out: T",
     attr = "exclusive: bool = false",
     attr = "reverse: bool = false",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::unchanged)]
pub struct CumulativeLogsumexp;

/// `CumulativeLogsumexp` for every real floating-point number.
#[kernel(CumulativeLogsumexp, device = CPU, T = [floats], Tidx = [i32, i64], host_memory(axis))]
pub fn cumulative_logsumexp_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    scan::<T>(context, T::Lane::LOWEST, logsumexp)
}

/// `ln(exp(a) + exp(b))`.
#[inline]
fn logsumexp<L: FloatLane>(a: L, b: L) -> L {
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
mod tests {
    use crate::support::testing::{check, check_with};

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
