//! `Any`: whether any element is true over axes.
//!
//! Axes and `keep_dims` as for `Sum`. Of no elements it is false.

use oplink::prelude::*;

use super::engine::{Join, Joined, reduce};

/// Whether any element of `input` is true over the axes in `reduction_indices`.
#[op("Any",
     no_gradient,
     input = "input: bool",
     input = "reduction_indices: Tidx",
     output = "output: bool",
     attr = "keep_dims: bool = false",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Any;

struct Or;

impl Join<bool> for Or {
    const IDENTITY: bool = false;
    #[inline]
    fn join(a: bool, b: bool) -> bool {
        a | b
    }
}

/// `Any` over axes of either index type.
#[kernel(Any, device = CPU, Tidx = [i32, i64], host_memory(reduction_indices))]
pub fn any_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    reduce::<bool, Joined<Or>>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn joins_along_axes() {
        let matrix = Tensor::from_vec([2, 3], vec![true, true, false, false, true, false]).unwrap();
        check("Any", [matrix.clone(), 0.into()], [true, true, false]);
        check("Any", [matrix, [-1i64].into()], [true, true]);
        check("Any", [Tensor::zeros(DType::Bool, [0, 2]).unwrap(), 0.into()], [false, false]);
    }
}
