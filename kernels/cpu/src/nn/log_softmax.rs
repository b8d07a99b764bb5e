//! `LogSoftmax` along the last axis: `logits[..., j] - max - log(sum of exp(logits[..., k] - max))`.
//!
//! The output has the shape of `logits` and reuses its memory where it can. A row with NaN or positive infinity, or of
//! negative infinities alone, gives NaN. The 16-bit floats are computed in f32. It is an error when `logits` is a
//! scalar.

use oplink::prelude::*;

use super::rows::{each_row, exp_shifted, largest};
use crate::support::elementwise::{FloatLane, Lanes};

/// The logarithm of the softmax of `logits` along the last axis.
#[op("LogSoftmax",
     input = "logits: T",
     output = "logsoftmax: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct LogSoftmax;

/// `LogSoftmax` for the floats.
#[kernel(LogSoftmax, device = CPU, T = [floats])]
pub fn log_softmax_cpu<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    each_row::<T>(context, log_softmax_row)
}

fn log_softmax_row<L: FloatLane + Lanes<Lane = L>>(row: &mut [L]) {
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
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn rows() {
        let cases = [([1.0, 2.0, 1000.0], [-999.0, -998.0, 0.0])];
        for (logits, expected) in cases {
            let out = run_one("LogSoftmax", vec![Tensor::from_slice::<f32>(&logits)]).unwrap();
            assert_close(&out, &Tensor::from_slice::<f32>(&expected), 4.0);
        }
        assert!(run_one("LogSoftmax", vec![Tensor::scalar(1f32)]).is_err());
    }
}
