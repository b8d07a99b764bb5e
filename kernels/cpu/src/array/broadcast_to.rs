//! `BroadcastTo`: a tensor stretched to a shape.
//!
//! Aligned at the last axis, extents of 1 are repeated and axes are added in front. Every dtype. It is an error when the
//! input has more axes, or an extent that is neither 1 nor the wanted one. An input of that shape already is passed through.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Host, Mover, stretch};

/// Stretches `input` to `shape`.
#[op("BroadcastTo",
     input = "input: T",
     input = "shape: Tidx",
     output = "output: T",
     attr = "T: type",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::broadcast_to)]
pub struct BroadcastTo;

/// `BroadcastTo` of every dtype.
#[kernel(BroadcastTo, device = CPU, T = any, Tidx = any, host_memory = [shape])]
pub fn broadcast_to_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    broadcast_to_by::<Host>(context)
}

/// `BroadcastTo` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn broadcast_to_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let shape = arguments::shape(context, 1, "shape")?;
    let dims = input.shape();
    let fits = dims.rank() <= shape.rank()
        && dims.iter().rev().zip(shape.iter().rev()).all(|(&from, &to)| from == to || from == 1);
    ensure!(fits, "a tensor of shape {dims} cannot be stretched to {shape}");
    let out = if *dims == shape { context.take_input(0) } else { stretch::<M>(context, 0, input, &shape)? };
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn stretches() {
        let x = Tensor::from_vec([2, 1], vec![1, 2]).unwrap();
        let out = run_one("BroadcastTo", vec![x.clone(), Tensor::from([2, 2, 3])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2]);
        let out = run_one("BroadcastTo", vec![Tensor::scalar(true), Tensor::from([2i64])]).unwrap();
        assert_eq!(out.as_slice::<bool>().unwrap(), [true, true]);
        assert_eq!(run_one("BroadcastTo", vec![x.clone(), Tensor::from([2, 0])]).unwrap().shape().dims(), [2, 0]);
        for shape in [vec![3, 1], vec![2], vec![2, -1]] {
            assert!(run_one("BroadcastTo", vec![x.clone(), shape.clone().into()]).is_err(), "{shape:?}");
        }
    }
}
