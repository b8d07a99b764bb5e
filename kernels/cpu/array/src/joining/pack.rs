//! `Pack`: tensors of one shape stacked along a new axis; `Unpack`, its inverse; `ParallelConcat`: tensors of one row
//! each joined to the rows of one.
//!
//! The attr `axis` of `Pack` lies in `[-rank - 1, rank]`, negative values counting from the end of the result. It is an
//! error when the shapes differ. That of `Unpack` lies in `[-rank, rank)`; its extent is the number of outputs, the
//! attr `num`, and outputs share the input's memory where they are contiguous in it. Every dtype.
//!
//! The attr `shape` of `ParallelConcat` is the output's; each of `values` has it with 1 in place of the first extent
//! and becomes one row, in order. Rows without a value hold the dtype's default.

use oplink::prelude::*;
use oplink_cpu_support::movement::{self, Host, Piece, join_rows};
use oplink_ops::array::{Pack, ParallelConcat, Unpack, copies};

/// `Pack` of every dtype.
#[kernel(Pack, device = CPU, T = any)]
pub fn pack_cpu(values: &[Tensor], axis: i64, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::pack::<Host>(values, axis, output, env)
}

/// `Unpack` of every dtype.
#[kernel(Unpack, device = CPU, T = any)]
pub fn unpack_cpu(value: &Tensor, axis: i64, output: OutputList<'_>, env: Env<'_>) -> Result<()> {
    copies::unpack::<Host>(value, axis, output, env)
}

/// `ParallelConcat` of numbers, bools and strings.
#[kernel(ParallelConcat, device = CPU, T = [numbers, bool, TString])]
pub fn parallel_concat_cpu(
    values: &[Tensor],
    shape: &PartialShape,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let Some(shape) = shape.to_shape().filter(|shape| shape.rank() > 0) else {
        bail!("the attr shape must be fully known and no scalar, it is {shape}")
    };
    let rows = shape[0];
    ensure!(values.len() <= rows, "{} values do not fit the {rows} rows of shape {shape}", values.len());
    for (index, value) in values.iter().enumerate() {
        ensure!(
            value.rank() == shape.rank() && value.shape()[0] == 1 && value.shape()[1..] == shape[1..],
            "values[{index}] must have the shape {shape} with 1 in place of the first extent, it has {}",
            value.shape()
        );
    }
    let mut rest = env.allocate(output.dtype(), [&[rows - values.len()], &shape[1..]].concat())?;
    movement::fill(&env, &mut rest, None)?;
    let pieces = values.iter().chain([&rest]).map(|tensor| Piece { tensor, length: tensor.num_elements() });
    join_rows(&env, output.allocate(shape)?, &pieces.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

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

    #[test]
    fn takes_apart_along_each_axis() {
        let x = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        let rows = run("Unpack", &[("num", 2.into())], vec![x.clone()]).unwrap();
        assert_eq!(rows[1].as_slice::<i32>().unwrap(), [4, 5, 6]);
        assert!(rows[1].shares_memory_with(&x));
        let columns = run("Unpack", &[("num", 3.into()), ("axis", (-1i64).into())], vec![x]).unwrap();
        assert_eq!(columns[2].as_slice::<i32>().unwrap(), [3, 6]);
    }

    #[test]
    fn another_extent_is_an_error() {
        assert!(run("Unpack", &[("num", 3.into())], vec![Tensor::from([1, 2])]).is_err());
        assert!(run("Unpack", &[("num", 1.into())], vec![Tensor::scalar(1)]).is_err());
    }

    #[test]
    fn joins_rows() {
        let row = |a: i32, b: i32| Tensor::from_vec([1, 2], vec![a, b]).unwrap();
        let join = |shape: &[usize], values| {
            let shape = PartialShape::from(Shape::new(shape));
            run("ParallelConcat", &[("shape", shape.into())], values)
        };
        let out = join(&[2, 2], vec![row(1, 2), row(3, 4)]).unwrap().remove(0);
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 2][..], &[1, 2, 3, 4][..]));
        assert_eq!(join(&[2, 2], vec![row(1, 2)]).unwrap()[0].as_slice::<i32>().unwrap(), [1, 2, 0, 0]);
        assert!(join(&[1, 2], vec![row(1, 2), row(3, 4)]).is_err());
        assert!(join(&[2, 3], vec![row(1, 2)]).is_err());
    }
}
