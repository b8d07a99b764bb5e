//! `AccumulateNV2`: the sum of several tensors of a declared shape.

use super::accumulate::accumulate;
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::math::AccumulateNV2;

/// `AccumulateNV2` of numbers.
#[kernel(AccumulateNV2, device = CPU, T = [numbers])]
pub fn accumulate_n_v2_cpu<T: Computed<ComputeType: Arithmetic>>(
    inputs: InputList<'_>,
    sum: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    accumulate::<T>(inputs, sum, env)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check_with;

    #[test]
    fn values_are_those_of_tensorflow() {
        let shape = [("shape", AttrValue::Shape(PartialShape::new(&[Some(2)])))];
        check_with("AccumulateNV2", &shape, [[1.0f32, 2.0].into(), [3.0f32, 4.0].into()], [4.0f32, 6.0]);
    }
}
