//! `AccumulateNV2`: the sum of several tensors of a declared shape.

use oplink::prelude::*;

use super::accumulate::accumulate;
use crate::support::elementwise::{Arithmetic, Lanes};

/// Adds all tensors, which have the shape `shape`; integers wrap around.
///
/// Shape inference goes by the attr alone.
#[op(
    "AccumulateNV2",
    input = "inputs: N * T",
    output = "sum: T",
    attr = "N: int >= 1",
    attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
    attr = "shape: shape",
    commutative,
    aggregate,
    shape = shape_fns::placeholder,
)]
pub struct AccumulateNV2;

#[kernel(AccumulateNV2, device = CPU, T = [numbers])]
fn accumulate_n_v2_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    accumulate::<T>(context)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check_with;

    #[test]
    fn values_are_those_of_tensorflow() {
        let shape = [("shape", AttrValue::Shape(PartialShape::new(&[Some(2)])))];
        check_with("AccumulateNV2", &shape, [[1.0f32, 2.0].into(), [3.0f32, 4.0].into()], [4.0f32, 6.0]);
    }
}
