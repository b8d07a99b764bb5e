//! `All` and `Any`: whether all elements are true over axes, or any.
//!
//! Axes and `keep_dims` as for `Sum`. Of no elements, `All` is true and `Any` is false.

use super::engine::{Join, Joined, reduce};
use oplink::prelude::*;
use oplink_ops::reduction::{All, Any};

struct And;

impl Join<bool> for And {
    const IDENTITY: bool = true;
    #[inline]
    fn join(a: bool, b: bool) -> bool {
        a & b
    }
}

struct Or;

impl Join<bool> for Or {
    const IDENTITY: bool = false;
    #[inline]
    fn join(a: bool, b: bool) -> bool {
        a | b
    }
}

/// `All` over axes of either index type.
#[kernel(All, device = CPU, Tidx = [i32, i64], host_memory(reduction_indices))]
pub fn all_cpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<bool, Joined<And>>(input, reduction_indices, keep_dims, &mut output, &env)
}

/// `Any` over axes of either index type.
#[kernel(Any, device = CPU, Tidx = [i32, i64], host_memory(reduction_indices))]
pub fn any_cpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<bool, Joined<Or>>(input, reduction_indices, keep_dims, &mut output, &env)
}

#[cfg(test)]
mod all_tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn joins_along_axes() {
        let matrix = Tensor::from_vec([2, 3], vec![true, true, false, false, true, false]).unwrap();
        check("All", [matrix.clone(), 0.into()], [false, true, false]);
        check("All", [matrix, [-1i64].into()], [false, false]);
        check("All", [Tensor::zeros(DType::Bool, [0, 2]).unwrap(), 0.into()], [true, true]);
    }
}

#[cfg(test)]
mod any_tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn joins_along_axes() {
        let matrix = Tensor::from_vec([2, 3], vec![true, true, false, false, true, false]).unwrap();
        check("Any", [matrix.clone(), 0.into()], [true, true, false]);
        check("Any", [matrix, [-1i64].into()], [true, true]);
        check("Any", [Tensor::zeros(DType::Bool, [0, 2]).unwrap(), 0.into()], [false, false]);
    }
}
