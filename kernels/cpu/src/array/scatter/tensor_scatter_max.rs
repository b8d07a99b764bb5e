//! `TensorScatterMax`: a tensor with the larger ones of its elements and those of slices at coordinates.
//!
//! The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
//! `indices[:-1] + tensor[indices.shape[-1]:]`. Of equal coordinates the largest element wins; an
//! element of `updates` that is NaN never does, one of `tensor` always. Coordinates outside are an error; with the attr
//! `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs
//! it.

use oplink::prelude::*;

use super::engine::combine;
use crate::support::elementwise::{Lanes, Ordered};

/// `tensor` with the larger ones of its elements and those of `updates` at coordinates.
#[op("TensorScatterMax",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterMax;

/// `TensorScatterMax` of real numbers.
#[kernel(TensorScatterMax, device = CPU, T = [reals], Tindices = any)]
pub fn tensor_scatter_max_cpu<T: Lanes<Lane: Ordered>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine::<T>(context, |a, b| if a < b { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn keeps_the_largest() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check("TensorScatterMax", [[1, 2, 3].into(), at.clone(), [4, 0, 2].into()], [1, 2, 4]);
        let nan = f32::NAN;
        check("TensorScatterMax", [[1.0, 2.0, nan].into(), at, [4.0, nan, 6.0].into()], [1.0, 2.0, nan]);
    }
}
