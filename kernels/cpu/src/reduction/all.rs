//! `All`: whether all elements are true over axes.
//!
//! Axes and `keep_dims` as for `Sum`. Of no elements it is true.

use oplink::prelude::*;

use super::engine::{Join, Joined, reduce};

/// Whether all elements of `input` are true over the axes in `reduction_indices`.
#[op("All",
     no_gradient,
     input = "input: bool",
     input = "reduction_indices: Tidx",
     output = "output: bool",
     attr = "keep_dims: bool = false",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct All;

struct And;

impl Join<bool> for And {
    const IDENTITY: bool = true;
    #[inline]
    fn join(a: bool, b: bool) -> bool {
        a & b
    }
}

/// `All` over axes of either index type.
#[kernel(All, device = CPU, Tidx = [i32, i64], host_memory(reduction_indices))]
pub fn all_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    reduce::<bool, Joined<And>>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

    #[test]
    fn joins_along_axes() {
        let matrix = Tensor::from_vec([2, 3], vec![true, true, false, false, true, false]).unwrap();
        check("All", [matrix.clone(), 0.into()], [false, true, false]);
        check("All", [matrix, [-1i64].into()], [false, false]);
        check("All", [Tensor::zeros(DType::Bool, [0, 2]).unwrap(), 0.into()], [true, true]);
    }
}
