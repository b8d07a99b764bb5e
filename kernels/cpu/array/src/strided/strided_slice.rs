//! `StridedSlice`: NumPy's basic indexing, `input[begin:end:strides, …]`; `StridedSliceGrad`: its gradient.
//!
//! Bit `i` of a mask is about element `i` of `begin`, `end` and `strides`: `begin_mask` and `end_mask` leave a range
//! open, `ellipsis_mask` stands for the axes that the others leave, `new_axis_mask` inserts an axis of extent 1,
//! `shrink_axis_mask` picks the one position at `begin` and drops the axis. Ranges are clamped to the axis; single
//! positions must exist. Every dtype. A slice of whole rows along the first axis shares the input's memory.
//!
//! The gradient is zeros with `dy`, of the slice's shape, in the region that the slice picked of a tensor of shape
//! `shape`; strings are empty beside the region.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{
    StridedSlice, StridedSliceAttrs, StridedSliceGrad, StridedSliceGradAttrs, StridedSliceGradInputs, copies,
};

/// `StridedSlice` of every dtype.
#[kernel(StridedSlice, device = CPU, T = any, Index = any, host_memory = [begin, end, strides])]
pub fn strided_slice_cpu(
    input: &Tensor,
    begin: &Tensor,
    end: &Tensor,
    strides: &Tensor,
    attrs: StridedSliceAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::strided_slice::<Host>(input, [begin, end, strides], attrs, output, env)
}

/// `StridedSliceGrad` of every dtype.
#[kernel(StridedSliceGrad, device = CPU, T = any, Index = any, host_memory = [shape, begin, end, strides])]
pub fn strided_slice_grad_cpu(
    inputs: StridedSliceGradInputs<'_>,
    attrs: StridedSliceGradAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::strided_slice_grad::<Host>(&inputs, attrs, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with, run};

    fn slice(begin: &[i32], end: &[i32], strides: &[i32], masks: [i64; 5]) -> Result<(Vec<usize>, Vec<i32>)> {
        let x = Tensor::from_vec([3, 4], (0..12).collect::<Vec<i32>>()).unwrap();
        let names = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"];
        let attrs: Vec<_> = names.into_iter().zip(masks.map(AttrValue::from)).collect();
        let out = run("StridedSlice", &attrs, vec![x, begin.into(), end.into(), strides.into()])?;
        Ok((out[0].shape().to_vec(), out[0].as_slice::<i32>()?.to_vec()))
    }

    #[test]
    fn picks_as_numpy() {
        assert_eq!(slice(&[1], &[3], &[1], [0; 5]).unwrap(), (vec![2, 4], (4..12).collect()));
        assert_eq!(slice(&[0, 1], &[3, 4], &[2, 2], [0; 5]).unwrap(), (vec![2, 2], vec![1, 3, 9, 11]));
        assert_eq!(slice(&[-1, -1], &[-4, -5], &[-2, -3], [0; 5]).unwrap(), (vec![2, 2], vec![11, 8, 3, 0]));
        assert_eq!(slice(&[0, 2], &[0, 0], &[1, 1], [1, 1, 0, 0, 2]).unwrap(), (vec![3], vec![2, 6, 10]));
        assert_eq!(slice(&[0, 0], &[0, 1], &[1, 1], [0, 0, 1, 0, 0]).unwrap(), (vec![3, 1], vec![0, 4, 8]));
        assert_eq!(slice(&[0, 1], &[0, 2], &[1, 1], [0, 0, 0, 1, 0]).unwrap(), (vec![1, 1, 4], vec![4, 5, 6, 7]));
        assert_eq!(slice(&[-1], &[0], &[1], [0, 0, 0, 0, 1]).unwrap(), (vec![4], vec![8, 9, 10, 11]));
        assert_eq!(slice(&[2], &[1], &[1], [0; 5]).unwrap(), (vec![0, 4], vec![]));
    }

    #[test]
    fn bad_slices_are_errors() {
        assert!(slice(&[0], &[1], &[0], [0; 5]).is_err());
        assert!(slice(&[3], &[4], &[1], [0, 0, 0, 0, 1]).is_err());
        assert!(slice(&[0, 0, 0], &[1, 1, 1], &[1, 1, 1], [0; 5]).is_err());
        assert!(slice(&[0, 0], &[1], &[1, 1], [0; 5]).is_err());
    }

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
