//! `L2Loss`: half the sum of squares, a scalar.
//!
//! Summed pairwise in blocks, the 16-bit floats in f32.

use oplink::prelude::*;
use oplink_cpu_contraction::sums::sum_of;
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_ops::nn::L2Loss;

/// `L2Loss` for the floats.
#[kernel(L2Loss, device = CPU, T = [floats])]
pub fn l2_loss_cpu<T: Computed<ComputeType: ComputeFloat>>(t: &Tensor) -> Result<Tensor> {
    let sum = sum_of(t.as_slice::<T>()?, &|computed: &[T::ComputeType]| {
        computed.iter().fold(T::ComputeType::from_f64(0.0), |a, &x| a + x * x)
    });
    Ok(Tensor::scalar(T::from_computed(sum * T::ComputeType::from_f64(0.5))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    #[test]
    fn half_the_sum_of_squares() {
        for (values, expected) in [(vec![1f32, 2.0, 3.0], 7.0), (vec![], 0.0), (vec![0.5; 80_000], 10_000.0)] {
            let loss = run_one("L2Loss", vec![Tensor::from_slice(&values)]).unwrap();
            assert_eq!(loss.to_scalar::<f32>().unwrap(), expected);
        }
    }
}
