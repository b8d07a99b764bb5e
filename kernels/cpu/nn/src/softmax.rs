//! `Softmax` and `LogSoftmax` along the last axis: `exp(logits[..., j] - max) / sum of exp(logits[..., k] - max)`, and
//! its logarithm `logits[..., j] - max - log(sum of exp(logits[..., k] - max))`.
//!
//! The output has the shape of `logits` and reuses its memory where it can. A row with NaN or positive infinity, or of
//! negative infinities alone, gives NaN. The 16-bit floats are computed in f32. It is an error when `logits` is a
//! scalar.

use super::rows::{divide, each_row, exp_shifted, largest};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_ops::nn::{LogSoftmax, Softmax};

/// `Softmax` for the floats.
#[kernel(Softmax, device = CPU, T = [floats])]
pub fn softmax_cpu<T: Computed<ComputeType: ComputeFloat + Computed<ComputeType = T::ComputeType>>>(
    logits: Input<'_>,
    mut softmax: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    each_row::<T>(logits, &mut softmax, &env, softmax_row)
}

/// `LogSoftmax` for the floats.
#[kernel(LogSoftmax, device = CPU, T = [floats])]
pub fn log_softmax_cpu<T: Computed<ComputeType: ComputeFloat + Computed<ComputeType = T::ComputeType>>>(
    logits: Input<'_>,
    mut logsoftmax: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    each_row::<T>(logits, &mut logsoftmax, &env, log_softmax_row)
}

fn softmax_row<L: ComputeFloat + Computed<ComputeType = L>>(row: &mut [L]) {
    let sum = exp_shifted(row, largest(row));
    divide(row, sum);
}

fn log_softmax_row<L: ComputeFloat + Computed<ComputeType = L>>(row: &mut [L]) {
    let largest = largest(row);
    let mut powers = row.to_vec();
    let log = num_traits::Float::ln(exp_shifted(&mut powers, largest));
    for x in row {
        *x = *x - largest - log;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run_one};

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

    #[test]
    fn logarithms() {
        let cases = [([1.0, 2.0, 1000.0], [-999.0, -998.0, 0.0])];
        for (logits, expected) in cases {
            let out = run_one("LogSoftmax", vec![Tensor::from_slice::<f32>(&logits)]).unwrap();
            assert_close(&out, &Tensor::from_slice::<f32>(&expected), 4.0);
        }
        assert!(run_one("LogSoftmax", vec![Tensor::scalar(1f32)]).is_err());
    }
}
