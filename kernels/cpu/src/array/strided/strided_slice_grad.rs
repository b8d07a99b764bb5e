//! `StridedSliceGrad`: the gradient of `StridedSlice`, zeros with `dy` in the region that the slice picked.
//!
//! `shape` is that of the slice's input; `begin`, `end`, `strides` and the masks are those of the slice, and `dy` has its
//! shape. Every dtype; strings are empty beside the region.

use oplink::prelude::*;

use super::super::arguments;
use super::region::Region;
use crate::support::movement::{Host, Mover};

/// Zeros of shape `shape` with `dy` in a strided region.
#[op(
    "StridedSliceGrad",
    input = "shape: Index",
    input = "begin: Index",
    input = "end: Index",
    input = "strides: Index",
    input = "dy: T",
    output = "output: T",
    attr = "T: type",
    attr = "Index: {int32, int64}",
    attr = "begin_mask: int = 0",
    attr = "end_mask: int = 0",
    attr = "ellipsis_mask: int = 0",
    attr = "new_axis_mask: int = 0",
    attr = "shrink_axis_mask: int = 0"
)]
pub fn strided_slice_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(0)?;
    c.set_output(0, shape);
    Ok(())
}

/// `StridedSliceGrad` of every dtype.
#[kernel(StridedSliceGrad, device = CPU, T = any, Index = any, host_memory = [shape, begin, end, strides])]
pub fn strided_slice_grad_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    strided_slice_grad_by::<Host>(context)
}

/// `StridedSliceGrad` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn strided_slice_grad_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = arguments::shape(context, 0, "shape")?;
    let region = Region::of(context, &shape)?;
    let dy = context.input(4);
    ensure!(region.shape == *dy.shape(), "dy has the shape {} where the slice has {}", dy.shape(), region.shape);
    let mut out = context.allocate_output(0, shape)?;
    M::fill(context, &mut out, None)?;
    let (base, axes) = region.axes(out.shape());
    M::put_axes(context, &mut out, base, &axes, dy)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

    #[test]
    fn puts_the_gradient_back() {
        let dy = Tensor::from_vec([1, 2], vec![1.0f32, 2.0]).unwrap();
        let out = Tensor::from_vec([2, 3], vec![0.0f32, 0.0, 0.0, 2.0, 0.0, 1.0]).unwrap();
        let slice = [[2, 3].into(), [1, -1].into(), [2, -4].into(), [1, -2].into()];
        let [shape, begin, end, strides]: [Tensor; 4] = slice;
        check("StridedSliceGrad", [shape, begin, end, strides, dy], out);
        let inputs = [[2].into(), [1].into(), [0].into(), [1].into(), "a".into()];
        let out = ["", "a"].map(TString::from);
        check_with("StridedSliceGrad", &[("shrink_axis_mask", 1.into())], inputs, out);
    }

    #[test]
    fn another_shape_is_an_error() {
        let inputs = [[4i64].into(), [1i64].into(), [3i64].into(), [1i64].into(), [1, 2, 3].into()];
        check_error("StridedSliceGrad", inputs, "dy has the shape [3] where the slice has [2]");
    }
}
