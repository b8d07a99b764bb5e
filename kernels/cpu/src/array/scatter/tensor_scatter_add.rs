//! `TensorScatterAdd`: a tensor with slices added at coordinates.
//!
//! The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
//! `indices[:-1] + tensor[indices.shape[-1]:]`. Slices of equal coordinates add up; integers wrap, and the 16-bit
//! floats are rounded after each addition. Coordinates outside are an error; with the attr
//! `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs
//! it.

use oplink::prelude::*;

use super::engine::combine;
use crate::support::elementwise::{Arithmetic, Lanes};

/// `tensor` with the slices of `updates` added at coordinates.
#[op("TensorScatterAdd",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterAdd;

/// `TensorScatterAdd` of numbers.
#[kernel(TensorScatterAdd, device = CPU, T = [numbers], Tindices = any)]
pub fn tensor_scatter_add_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine::<T>(context, Arithmetic::add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn adds() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check(
            "TensorScatterAdd",
            [[1.0f32, 2.0, 3.0].into(), at.clone(), [4.0f32, 5.0, 6.0].into()],
            [6.0f32, 2.0, 13.0],
        );
        check("TensorScatterAdd", [[1u8, 2, 3].into(), at, [4u8, 5, 254].into()], [6u8, 2, 5]);
    }
}
