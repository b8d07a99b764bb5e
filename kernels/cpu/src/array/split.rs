//! `Split`: a tensor in equal parts along one axis.
//!
//! `split_dim` is a scalar in `[-rank, rank)`; the axis' extent is a multiple of the number of outputs, the attr
//! `num_split`. Every dtype. Outputs share the input's memory where they stand together in it.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Host, Mover, take_range};

/// Splits `value` into `num_split` equal parts along `split_dim`.
#[op("Split",
     input = "split_dim: int32",
     input = "value: T",
     output = "output: num_split * T",
     attr = "num_split: int >= 1",
     attr = "T: type",
     shape = shape_fns::split)]
pub struct Split;

/// `Split` of every dtype.
#[kernel(Split, device = CPU, T = any, host_memory = [split_dim])]
pub fn split_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    split_by::<Host>(context)
}

/// `Split` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn split_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.input(1).clone();
    let axis = arguments::axis(arguments::scalar(context, 0, "split_dim")?, value.rank(), "split_dim")?;
    let (parts, extent) = (context.num_outputs(), value.shape()[axis]);
    ensure!(
        extent.is_multiple_of(parts),
        "axis {axis} of shape {} cannot be split into {parts} equal parts",
        value.shape()
    );
    let count = extent / parts;
    let mut shape = value.shape().clone();
    shape.dims_mut()[axis] = count;
    for index in 0..parts {
        let out = take_range::<M>(context, index, &value, axis, index * count, count, shape.clone())?;
        context.set_output(index, out);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run;
    use oplink::Tensor;

    #[test]
    fn splits_along_each_axis() {
        let x = Tensor::from_vec([2, 4], (0..8).collect::<Vec<i32>>()).unwrap();
        let out = run("Split", &[("num_split", 2.into())], vec![Tensor::scalar(-1), x.clone()]).unwrap();
        assert_eq!(
            (out[0].as_slice::<i32>().unwrap(), out[1].as_slice::<i32>().unwrap()),
            (&[0, 1, 4, 5][..], &[2, 3, 6, 7][..])
        );
        let out = run("Split", &[("num_split", 2.into())], vec![Tensor::scalar(0), x.clone()]).unwrap();
        assert!(out[1].shares_memory_with(&x));
        assert!(run("Split", &[("num_split", 3.into())], vec![Tensor::scalar(0), x]).is_err());
    }
}
