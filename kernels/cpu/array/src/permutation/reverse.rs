//! `Reverse` and `ReverseV2`: a tensor with the order of elements reversed along axes.
//!
//! `dims` of `Reverse` marks them by a bool for each axis of `tensor`, of which there are 8 at most. It is an error when the
//! first extent is 0. `axis` of `ReverseV2` is a vector of axes, negative ones counting from the end, each at most once.

use super::super::arguments;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, AxisList, CopyBackend, Host, row_major_strides};
use oplink_ops::array::{Reverse, ReverseV2};

/// `Reverse` of every dtype it allows.
#[kernel(Reverse, device = CPU, T = any, host_memory = [dims])]
pub fn reverse_cpu(tensor: &Tensor, dims: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    reverse_by::<Host>(tensor, dims, output, env)
}

/// `Reverse` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn reverse_by<B: CopyBackend>(tensor: &Tensor, dims: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    if tensor.rank() > 8 {
        return Err(Error::unimplemented(format!("tensors of rank {} are not reversed, 8 is the most", tensor.rank())));
    }
    ensure!(
        dims.shape().dims() == [tensor.rank()],
        "dims must be a vector of {} for a tensor of shape {}, it has shape {}",
        tensor.rank(),
        tensor.shape(),
        dims.shape()
    );
    ensure!(tensor.shape().first() != Some(&0), "the first extent of tensor must not be 0, it has {}", tensor.shape());
    reversed::<B>(tensor, dims.as_slice::<bool>()?, output, env)
}

/// `ReverseV2` of every dtype it allows.
#[kernel(ReverseV2, device = CPU, T = any, Tidx = any, host_memory = [axis])]
pub fn reverse_v2_cpu(tensor: &Tensor, axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    reverse_v2_by::<Host>(tensor, axis, output, env)
}

/// `ReverseV2` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn reverse_v2_by<B: CopyBackend>(
    tensor: &Tensor,
    axis: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let mut marks = vec![false; tensor.rank()];
    for axis in arguments::vector(axis, "axis")? {
        let axis = arguments::axis(axis, tensor.rank(), "axis")?;
        ensure!(!std::mem::replace(&mut marks[axis], true), "axis {axis} is given more than once");
    }
    reversed::<B>(tensor, &marks, output, env)
}

/// Sets the output to `tensor` with the order of elements reversed along the axes whose mark is true.
fn reversed<B: CopyBackend>(tensor: &Tensor, marks: &[bool], mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let strides = row_major_strides(tensor.shape());
    let mut base = 0;
    let mut axes = AxisList::new();
    for ((&count, &stride), &mark) in tensor.shape().iter().zip(&strides).zip(marks) {
        if mark && count > 0 {
            base += (count - 1) as isize * stride;
        }
        axes.push(Axis::Strided { count, stride: if mark { -stride } else { stride } });
    }
    B::copy_axes(env, output.allocate(tensor.shape().clone())?, tensor, base, &axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, run_one};

    #[test]
    fn reverses_marked_axes() {
        let x = |values: [i32; 6]| Tensor::from_vec([2, 3], values.to_vec()).unwrap();
        check("Reverse", [x([1, 2, 3, 4, 5, 6]), [false, true].into()], x([3, 2, 1, 6, 5, 4]));
        check("Reverse", [x([1, 2, 3, 4, 5, 6]), [true, true].into()], x([6, 5, 4, 3, 2, 1]));
        check_error("Reverse", [x([0; 6]), [true].into()], "dims must be a vector of 2");
        let deep = Tensor::zeros(DType::Int8, vec![1; 9]).unwrap();
        check_error("Reverse", [deep, vec![true; 9].into()], "8 is the most");
    }

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
