//! `PopulationCount`: the number of bits that are 1.

use num_traits::PrimInt;
use oplink::prelude::*;

use crate::support::elementwise::{Lanes, unary_into};

/// Counts the bits of `x` that are 1, those of the two's complement for negative numbers.
#[op(
    "PopulationCount",
    no_gradient,
    input = "x: T",
    output = "y: uint8",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::unchanged,
)]
pub struct PopulationCount;

#[kernel(PopulationCount, device = CPU, T = [integers])]
fn population_count_cpu<T: Lanes<Lane: PrimInt>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<T, u8>(context, |x| x.count_ones() as u8)
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check("PopulationCount", [[-1i16, 7, 0].into()], [16u8, 3, 0]);
        check("PopulationCount", [u64::MAX.into()], 64u8);
    }
}
