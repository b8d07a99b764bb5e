//! `IsotonicRegression`: the falling sequence along the last axis that is nearest to given numbers.

use num_traits::ToPrimitive;
use oplink::prelude::*;
use oplink_ops::nn::IsotonicRegression;

/// `IsotonicRegression`: neighbours that rise are taken together until none do. Sums are of the output's dtype.
#[kernel(IsotonicRegression, device = CPU, T = [f16], output_dtype = [f16])]
#[kernel(IsotonicRegression, device = CPU, T = [bf16], output_dtype = [bf16])]
#[kernel(IsotonicRegression, device = CPU, T = [f32], output_dtype = [f32])]
#[kernel(IsotonicRegression, device = CPU, T = [f64], output_dtype = [f64])]
#[kernel(IsotonicRegression, device = CPU, T = [i8, i16], output_dtype = [f32])]
#[kernel(IsotonicRegression, device = CPU, T = [i32, i64], output_dtype = [f64])]
pub fn isotonic_regression_cpu<T: Real + ToPrimitive, OutputDtype: Float>(
    input: &Tensor,
    output: &mut Tensor,
    segments: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    let length = input.shape().last().copied().unwrap_or(1).max(1);
    let rows = input.as_slice::<T>()?.chunks_exact(length);
    let out = output.as_mut_slice::<OutputDtype>()?.chunks_exact_mut(length);
    let numbers = segments.as_mut_slice::<i32>()?.chunks_exact_mut(length);
    let mut runs: Vec<(OutputDtype, usize)> = Vec::new();
    for ((row, out), numbers) in env.watch(rows.zip(out).zip(numbers)) {
        runs.clear();
        for &value in row {
            runs.push((OutputDtype::from_float(value.to_f64().unwrap_or(0.0)), 1));
            while let [.., (before, count_before), (sum, count)] = runs[..] {
                if mean(before, count_before) >= mean(sum, count) {
                    break;
                }
                runs.pop();
                let last = runs.len() - 1;
                runs[last] = (before + sum, count_before + count);
            }
        }
        let mut at = 0;
        for (number, &(sum, count)) in runs.iter().enumerate() {
            out[at..at + count].fill(mean(sum, count));
            numbers[at..at + count].fill(number as i32);
            at += count;
        }
    }
    Ok(())
}

fn mean<O: Float>(sum: O, count: usize) -> O {
    sum / O::from_float(count as f64)
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::run;

    #[test]
    fn neighbours_that_rise_have_their_mean() {
        let out = run("IsotonicRegression", &[], vec![[1f32, 1.0, 2.5, 0.0].into()]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [1.5, 1.5, 1.5, 0.0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [0, 0, 0, 1]);
    }
}
