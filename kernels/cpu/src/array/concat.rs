//! `Concat` and `ConcatV2`: tensors joined along one axis.
//!
//! The axis is a scalar in `[-rank, rank)`, negative values counting from the end. Every dtype. It is an error when ranks
//! or other extents differ, and when the values are scalars.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Host, Mover, Piece};

/// Joins `values` along the axis `concat_dim`.
#[op("Concat",
     input = "concat_dim: int32",
     input = "values: N * T",
     output = "output: T",
     attr = "N: int >= 2",
     attr = "T: type",
     shape = shape_fns::concat)]
pub struct Concat;

/// Joins `values` along `axis`.
#[op("ConcatV2",
     input = "values: N * T",
     input = "axis: Tidx",
     output = "output: T",
     attr = "N: int >= 2",
     attr = "T: type",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::concat)]
pub struct ConcatV2;

/// `Concat` of every dtype.
#[kernel(Concat, device = CPU, T = any, host_memory = [concat_dim])]
pub fn concat_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    concat_by::<Host>(context)
}

/// `Concat` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn concat_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let axis = arguments::scalar(context, 0, "concat_dim")?;
    join::<M>(context, axis)
}

/// `ConcatV2` of every dtype.
#[kernel(ConcatV2, device = CPU, T = any, Tidx = any, host_memory = [axis])]
pub fn concat_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    concat_v2_by::<Host>(context)
}

/// `ConcatV2` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn concat_v2_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let axis = arguments::scalar(context, context.num_inputs() - 1, "axis")?;
    join::<M>(context, axis)
}

fn join<M: Mover>(context: &mut KernelContext<'_>, axis: i64) -> Result<()> {
    let values = context.input_list("values")?;
    let Some(first) = values.first().map(Tensor::shape) else { bail!("there must be at least one value") };
    let axis = arguments::axis(axis, first.rank(), "the axis to join along")?;
    let mut shape = first.clone();
    shape.dims_mut()[axis] = 0;
    for (index, value) in values.iter().enumerate() {
        check(index, value.shape(), first, axis)?;
        shape.dims_mut()[axis] += value.shape()[axis];
    }
    let mut out = context.allocate_output(0, shape)?;
    let piece = |tensor| Piece { tensor, length: tensor.shape()[axis..].iter().product() };
    M::join_rows(context, &mut out, &values.iter().map(piece).collect::<Vec<_>>())?;
    context.set_output(0, out);
    Ok(())
}

fn check(index: usize, shape: &Shape, first: &Shape, axis: usize) -> Result<()> {
    let same = |i: usize| i == axis || shape[i] == first[i];
    ensure!(
        shape.rank() == first.rank() && (0..shape.rank()).all(same),
        "values[{index}] of shape {shape} cannot be joined to values[0] of shape {first} along axis {axis}: \
         the other extents must be equal"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn joins_along_each_axis() {
        let a = Tensor::from_vec([2, 1], vec![1, 2]).unwrap();
        let b = Tensor::from_vec([2, 2], vec![3, 4, 5, 6]).unwrap();
        let out = run_one("ConcatV2", vec![a.clone(), b.clone(), Tensor::scalar(-1i64)]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 3][..], &[1, 3, 4, 2, 5, 6][..]));
        let out = run_one("Concat", vec![Tensor::scalar(0), b.clone(), Tensor::zeros(DType::Int32, [0, 2]).unwrap()])
            .unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), b.as_slice::<i32>().unwrap());
        assert!(run_one("ConcatV2", vec![a, b, Tensor::scalar(0)]).is_err());
    }

    #[test]
    fn scalars_and_axes_outside_are_errors() {
        let one = || Tensor::from("x");
        assert!(run_one("ConcatV2", vec![one(), one(), Tensor::scalar(0)]).is_err());
        assert!(run_one("ConcatV2", vec![Tensor::from([1]), Tensor::from([1]), Tensor::scalar(1)]).is_err());
    }
}
