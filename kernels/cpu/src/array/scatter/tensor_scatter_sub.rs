//! `TensorScatterSub`: a tensor with slices subtracted at coordinates.
//!
//! The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
//! `indices[:-1] + tensor[indices.shape[-1]:]`. Slices of equal coordinates are subtracted one after the other;
//! integers wrap, and the 16-bit floats are rounded after each subtraction. Coordinates outside are an error; with the attr
//! `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs
//! it.

use oplink::prelude::*;

use super::engine::combine;
use crate::support::elementwise::{Arithmetic, Lanes};

/// `tensor` with the slices of `updates` subtracted at coordinates.
#[op("TensorScatterSub",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterSub;

/// `TensorScatterSub` of numbers.
#[kernel(TensorScatterSub, device = CPU, T = [numbers], Tindices = any)]
pub fn tensor_scatter_sub_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine::<T>(context, Arithmetic::sub)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn subtracts() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check(
            "TensorScatterSub",
            [[1.0f32, 2.0, 3.0].into(), at.clone(), [4.0f32, 5.0, 6.0].into()],
            [-4.0f32, 2.0, -7.0],
        );
        check("TensorScatterSub", [[1u8, 2, 3].into(), at, [4u8, 5, 254].into()], [252u8, 2, 1]);
    }
}
