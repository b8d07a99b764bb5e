//! `BiasAddV1`: adds a vector along the last axis.
//!
//! As `BiasAdd` with `data_format` `NHWC`.

use oplink::prelude::*;

use super::bias_add::add_bias;
use crate::support::elementwise::{Arithmetic, Lanes};

/// Adds the vector `bias` along the last axis of `value`.
#[op("BiasAddV1",
     input = "value: T",
     input = "bias: T",
     output = "output: T",
     attr = "T: numbertype",
     shape = shape_fns::bias_add)]
pub struct BiasAddV1;

/// `BiasAddV1` for every number.
#[kernel(BiasAddV1, device = CPU, T = [numbers])]
pub fn bias_add_v1_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    add_bias::<T>(context, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn the_bias_runs_along_the_last_axis() {
        let value = Tensor::from_vec([2, 1, 2], vec![1i32, 2, 3, 4]).unwrap();
        let out = run_one("BiasAddV1", vec![value, Tensor::from_slice(&[10i32, 20])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [11, 22, 13, 24]);
    }
}
