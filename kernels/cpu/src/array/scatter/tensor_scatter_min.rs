//! `TensorScatterMin`: a tensor with the smaller ones of its elements and those of slices at coordinates.
//!
//! The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
//! `indices[:-1] + tensor[indices.shape[-1]:]`. Of equal coordinates the smallest element wins; an
//! element of `updates` that is NaN never does, one of `tensor` always. Coordinates outside are an error; with the attr
//! `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs
//! it.

use oplink::prelude::*;

use super::engine::combine;
use crate::support::elementwise::{Lanes, Ordered};

/// `tensor` with the smaller ones of its elements and those of `updates` at coordinates.
#[op("TensorScatterMin",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterMin;

/// `TensorScatterMin` of real numbers.
#[kernel(TensorScatterMin, device = CPU, T = [reals], Tindices = any)]
pub fn tensor_scatter_min_cpu<T: Lanes<Lane: Ordered>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine::<T>(context, |a, b| if b < a { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn keeps_the_smallest() {
        let at = Tensor::from_vec([3, 1], vec![2i64, 0, 2]).unwrap();
        check("TensorScatterMin", [[1, 2, 3].into(), at.clone(), [4, 0, 2].into()], [0, 2, 2]);
        let nan = f32::NAN;
        check("TensorScatterMin", [[1.0, 2.0, nan].into(), at, [4.0, nan, 6.0].into()], [1.0, 2.0, nan]);
    }
}
