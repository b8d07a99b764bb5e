//! `ReverseV2`: a tensor with the order of elements reversed along given axes.
//!
//! `axis` is a vector of axes, negative ones counting from the end, each at most once.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Axis, AxisList, Host, Mover, row_major_strides};

/// Reverses `tensor` along the axes in `axis`.
#[op("ReverseV2",
     input = "tensor: T",
     input = "axis: Tidx",
     output = "output: T",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "T: {uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double, complex64, complex128, string}",
     shape = shape_fns::reverse_v2)]
pub struct ReverseV2;

/// `ReverseV2` of every dtype it allows.
#[kernel(ReverseV2, device = CPU, T = any, Tidx = any, host_memory = [axis])]
pub fn reverse_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    reverse_v2_by::<Host>(context)
}

/// `ReverseV2` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn reverse_v2_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let tensor = context.input(0);
    let mut marks = vec![false; tensor.rank()];
    for axis in arguments::vector(context, 1, "axis")? {
        let axis = arguments::axis(axis, tensor.rank(), "axis")?;
        ensure!(!std::mem::replace(&mut marks[axis], true), "axis {axis} is given more than once");
    }
    let out = reversed::<M>(context, &marks)?;
    context.set_output(0, out);
    Ok(())
}

/// Input 0 with the order of elements reversed along the axes whose mark is true.
pub(super) fn reversed<M: Mover>(context: &KernelContext<'_>, marks: &[bool]) -> Result<Tensor> {
    let tensor = context.input(0);
    let strides = row_major_strides(tensor.shape());
    let mut base = 0;
    let mut axes = AxisList::new();
    for ((&count, &stride), &mark) in tensor.shape().iter().zip(&strides).zip(marks) {
        if mark && count > 0 {
            base += (count - 1) as isize * stride;
        }
        axes.push(Axis::Strided { count, stride: if mark { -stride } else { stride } });
    }
    M::copy_axes(context, 0, tensor.shape().clone(), tensor, base, &axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn reverses_along_axes() {
        let x = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        let cases: [(&[i32], [i32; 6]); 4] = [
            (&[0], [4, 5, 6, 1, 2, 3]),
            (&[-1], [3, 2, 1, 6, 5, 4]),
            (&[1, 0], [6, 5, 4, 3, 2, 1]),
            (&[], [1, 2, 3, 4, 5, 6]),
        ];
        for (axes, expected) in cases {
            let out = run_one("ReverseV2", vec![x.clone(), axes.into()]).unwrap();
            assert_eq!(out.as_slice::<i32>().unwrap(), expected);
        }
        for axes in [[2, 0], [0, -2]] {
            assert!(run_one("ReverseV2", vec![x.clone(), axes.into()]).is_err());
        }
        let text =
            run_one("ReverseV2", vec![Tensor::from([TString::from("a"), "b".into()]), Tensor::from([0])]).unwrap();
        assert_eq!(text.as_slice::<TString>().unwrap(), [TString::from("b"), "a".into()]);
    }
}
