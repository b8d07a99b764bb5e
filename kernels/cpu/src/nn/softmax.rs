//! `Softmax` along the last axis: `exp(logits[..., j] - max) / sum of exp(logits[..., k] - max)`.
//!
//! The output has the shape of `logits` and reuses its memory where it can. A row with NaN or positive infinity, or of
//! negative infinities alone, gives NaN. The 16-bit floats are computed in f32. It is an error when `logits` is a
//! scalar.

use oplink::prelude::*;

use super::rows::{each_row, exp_shifted, largest};
use crate::support::elementwise::{FloatLane, Lanes};

/// The softmax of `logits` along the last axis.
#[op("Softmax",
     input = "logits: T",
     output = "softmax: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct Softmax;

/// `Softmax` for the floats.
#[kernel(Softmax, device = CPU, T = [floats])]
pub fn softmax_cpu<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(context: &mut KernelContext<'_>) -> Result<()> {
    each_row::<T>(context, softmax_row)
}

fn softmax_row<L: FloatLane + Lanes<Lane = L>>(row: &mut [L]) {
    let sum = exp_shifted(row, largest(row));
    for x in row {
        *x = *x / sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn rows() {
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        let cases = [
            ([1.0, 2.0, 3.0], [0.090_030_57, 0.244_728_48, 0.665_240_94]),
            ([-inf, 1.0, 2.0], [0.0, 0.268_941_43, 0.731_058_6]),
            ([inf, 1.0, 2.0], [nan; 3]),
            ([nan, 1.0, 2.0], [nan; 3]),
            ([-inf; 3], [nan; 3]),
        ];
        for (logits, expected) in cases {
            let out = run_one("Softmax", vec![Tensor::from_slice::<f32>(&logits)]).unwrap();
            assert_close(&out, &Tensor::from_slice::<f32>(&expected), 4.0);
        }
        assert!(run_one("Softmax", vec![Tensor::scalar(1f32)]).is_err());
    }

    #[test]
    fn long_rows_sum_to_one() {
        let logits: Vec<f32> = (0..5000).map(|i| (i % 97) as f32 / 10.0).collect();
        let out = run_one("Softmax", vec![Tensor::from_vec([2, 2500], logits).unwrap()]).unwrap();
        for row in out.as_slice::<f32>().unwrap().chunks(2500) {
            let sum: f64 = row.iter().map(|&p| f64::from(p)).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{sum}");
        }
    }
}
