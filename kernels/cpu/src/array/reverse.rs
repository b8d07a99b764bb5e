//! `Reverse`: a tensor with the order of elements reversed along the axes that `dims` marks.
//!
//! `dims` has a bool for each axis of `tensor`, of which there are 8 at most. It is an error when the first extent is 0.

use oplink::prelude::*;

use super::reverse_v2::reversed;
use crate::support::movement::{Host, Mover};

/// Reverses `tensor` along the axes for which `dims` is true.
#[op(
    "Reverse",
    input = "tensor: T",
    input = "dims: bool",
    output = "output: T",
    attr = "T: {uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128, string}"
)]
pub fn reverse(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut input = c.input(0).clone();
    let dims = c.with_rank(1, 1)?;
    if let (None, Some(rank)) = (input.rank(), dims.dim(0)) {
        input = PartialShape::unknown_of_rank(rank);
    }
    ensure!(input.rank().is_none_or(|rank| rank <= 8), "tensor must have rank 8 at most, its shape is {input}");
    c.merge_dim(dims.dim(0), input.rank())?;
    c.set_output(0, input);
    Ok(())
}

/// `Reverse` of every dtype it allows.
#[kernel(Reverse, device = CPU, T = any, host_memory = [dims])]
pub fn reverse_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    reverse_by::<Host>(context)
}

/// `Reverse` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn reverse_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let (tensor, dims) = (context.input(0), context.input(1));
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
    let out = reversed::<M>(context, dims.as_slice::<bool>()?)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn reverses_marked_axes() {
        let x = |values: [i32; 6]| Tensor::from_vec([2, 3], values.to_vec()).unwrap();
        check("Reverse", [x([1, 2, 3, 4, 5, 6]), [false, true].into()], x([3, 2, 1, 6, 5, 4]));
        check("Reverse", [x([1, 2, 3, 4, 5, 6]), [true, true].into()], x([6, 5, 4, 3, 2, 1]));
        check_error("Reverse", [x([0; 6]), [true].into()], "dims must be a vector of 2");
        let deep = Tensor::zeros(DType::Int8, vec![1; 9]).unwrap();
        check_error("Reverse", [deep, vec![true; 9].into()], "8 is the most");
    }
}
