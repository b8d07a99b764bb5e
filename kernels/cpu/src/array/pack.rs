//! `Pack`: tensors of one shape stacked along a new axis.
//!
//! The attr `axis` lies in `[-rank - 1, rank]`, negative values counting from the end of the result. Every dtype. It is
//! an error when the shapes differ.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Host, Mover, Piece};

/// Stacks `values` along a new axis.
#[op("Pack",
     input = "values: N * T",
     output = "output: T",
     attr = "N: int >= 1",
     attr = "T: type",
     attr = "axis: int = 0",
     shape = shape_fns::pack)]
pub struct Pack;

/// `Pack` of every dtype.
#[kernel(Pack, device = CPU, T = any)]
pub fn pack_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    pack_by::<Host>(context)
}

/// `Pack` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn pack_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let values = context.input_list("values")?;
    let Some(first) = values.first().map(Tensor::shape) else { bail!("there must be at least one value") };
    for (index, value) in values.iter().enumerate() {
        ensure!(value.shape() == first, "values[{index}] has shape {}, values[0] has {first}", value.shape());
    }
    let axis = arguments::axis(context.attr("axis")?, first.rank() + 1, "axis")?;
    let mut shape = first.to_vec();
    shape.insert(axis, values.len());
    let length = first[axis..].iter().product();
    let pieces: Vec<_> = values.iter().map(|tensor| Piece { tensor, length }).collect();
    let mut out = context.allocate_output(0, shape)?;
    M::join_rows(context, &mut out, &pieces)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn pack(axis: i64, values: Vec<Tensor>) -> Result<Tensor> {
        Ok(run("Pack", &[("axis", axis.into())], values)?.remove(0))
    }

    #[test]
    fn stacks_along_each_axis() {
        let values = || vec![Tensor::from([1, 2, 3]), Tensor::from([4, 5, 6])];
        for (axis, shape, expected) in
            [(0, [2, 3], [1, 2, 3, 4, 5, 6]), (1, [3, 2], [1, 4, 2, 5, 3, 6]), (-1, [3, 2], [1, 4, 2, 5, 3, 6])]
        {
            let out = pack(axis, values()).unwrap();
            assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&shape[..], &expected[..]));
        }
        let out = pack(0, vec![Tensor::from("a"), Tensor::from("b")]).unwrap();
        assert_eq!(out.as_slice::<TString>().unwrap(), [TString::from("a"), TString::from("b")]);
    }

    #[test]
    fn unlike_shapes_and_axes_outside_are_errors() {
        assert!(pack(0, vec![Tensor::from([1, 2]), Tensor::from([1])]).is_err());
        assert!(pack(2, vec![Tensor::from([1, 2])]).is_err());
        assert!(pack(-3, vec![Tensor::from([1, 2])]).is_err());
    }
}
