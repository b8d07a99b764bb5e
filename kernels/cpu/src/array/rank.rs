//! `Rank`: the number of dimensions of a tensor as an int32 scalar.

use oplink::prelude::*;

/// Gives the rank of its input.
#[op("Rank",
     no_gradient, input = "input: T", output = "output: int32", attr = "T: type", shape = shape_fns::rank)]
pub struct Rank;

/// `Rank` of every dtype.
#[kernel(Rank, device = CPU, T = any, host_memory = [output])]
pub fn rank_cpu(context: &mut KernelContext<'_>) {
    let rank = context.input(0).rank();
    context.set_scalar(0, rank as i32);
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run_one;
    use oplink::{DType, Tensor};

    #[test]
    fn counts_dimensions() {
        let rank = |x: Tensor| run_one("Rank", vec![x]).unwrap().to_scalar::<i32>().unwrap();
        assert_eq!(rank(Tensor::zeros(DType::Variant, [2, 0, 3]).unwrap()), 3);
        assert_eq!(rank(Tensor::scalar(1u8)), 0);
    }
}
