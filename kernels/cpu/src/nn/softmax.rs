//! `Softmax` and `LogSoftmax` along the last axis.
//!
//! `softmax[..., j] = exp(logits[..., j] - max) / sum of exp(logits[..., k] - max)`; its logarithm is
//! `logits - max - log(sum)`. The output has the shape of `logits` and reuses its memory where it can. A row with NaN or
//! positive infinity, or of negative infinities alone, gives NaN. The 16-bit floats are computed in f32. It is an error
//! when `logits` is a scalar.

use oplink::prelude::*;

use super::rows::{exp_shifted, largest};
use crate::numeric::lanes::change_lanes;
use crate::support::elementwise::{FloatLane, Lanes};
use crate::support::parallel::for_each_row;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// The softmax of `logits` along the last axis.
#[op("Softmax",
     input = "logits: T",
     output = "softmax: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct Softmax;

/// The logarithm of the softmax of `logits` along the last axis.
#[op("LogSoftmax",
     input = "logits: T",
     output = "logsoftmax: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct LogSoftmax;

/// `Softmax` for the floats.
#[kernel(Softmax, device = CPU, T = [floats])]
pub fn softmax_cpu<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(context: &mut KernelContext<'_>) -> Result<()> {
    each_row::<T>(context, softmax_row)
}

/// `LogSoftmax` for the floats.
#[kernel(LogSoftmax, device = CPU, T = [floats])]
pub fn log_softmax_cpu<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    each_row::<T>(context, log_softmax_row)
}

fn softmax_row<L: FloatLane + Lanes<Lane = L>>(row: &mut [L]) {
    let sum = exp_shifted(row, largest(row));
    for x in row {
        *x = *x / sum;
    }
}

fn log_softmax_row<L: FloatLane + Lanes<Lane = L>>(row: &mut [L]) {
    let largest = largest(row);
    let mut powers = row.to_vec();
    let log = num_traits::Float::ln(exp_shifted(&mut powers, largest));
    for x in row {
        *x = *x - largest - log;
    }
}

fn each_row<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(
    context: &mut KernelContext<'_>,
    body: fn(&mut [T::Lane]),
) -> Result<()> {
    let shape = context.input(0).shape().clone();
    let Some(&width) = shape.last() else { bail!("logits must be of rank 1 at least, they are a scalar") };
    let (taken, mut output) = context.forward_or_allocate(&[0], 0, &shape)?;
    let out = output.as_mut_slice::<T>()?;
    if taken.is_none() {
        out.copy_from_slice(context.input(0).as_slice::<T>()?);
    }
    if !out.is_empty() {
        for_each_row(context.env(), out, width, GRAIN, &|_, row| {
            change_lanes(row, body);
        });
    }
    context.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn rows() {
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        let cases = [
            ("Softmax", [1.0, 2.0, 3.0], [0.090_030_57, 0.244_728_48, 0.665_240_94]),
            ("Softmax", [-inf, 1.0, 2.0], [0.0, 0.268_941_43, 0.731_058_6]),
            ("Softmax", [inf, 1.0, 2.0], [nan; 3]),
            ("Softmax", [nan, 1.0, 2.0], [nan; 3]),
            ("Softmax", [-inf; 3], [nan; 3]),
            ("LogSoftmax", [1.0, 2.0, 1000.0], [-999.0, -998.0, 0.0]),
        ];
        for (op, logits, expected) in cases {
            let out = run_one(op, vec![Tensor::from_slice(&logits)]).unwrap();
            assert_close(&out, &Tensor::from_slice(&expected), 4.0);
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
