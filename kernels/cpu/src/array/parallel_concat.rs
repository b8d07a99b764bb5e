//! `ParallelConcat`: tensors of one row each joined to the rows of one.
//!
//! The attr `shape` is the output's; each of `values` has it with 1 in place of the first extent and becomes one row, in
//! order. Rows without a value hold the dtype's default. Every dtype.

use oplink::prelude::*;

use crate::support::movement::{self, Piece, join_rows};

/// Joins `values`, one row each, along the first axis.
#[op(
    "ParallelConcat",
    input = "values: N * T",
    output = "output: T",
    attr = "N: int >= 1",
    attr = "T: type",
    attr = "shape: shape"
)]
pub fn parallel_concat(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape: &PartialShape = c.attr("shape")?;
    ensure!(shape.is_fully_known(), "the attr shape must be fully known, it is {shape}");
    let row = c.concatenate(&PartialShape::new(&[Some(1)]), &c.subshape(shape, 1, None)?);
    for index in 0..c.num_inputs() {
        ensure!(
            c.input(index).is_fully_known() && *c.input(index) == row,
            "input {} must have the shape {row}, it has {}",
            c.input_name(index),
            c.input(index)
        );
    }
    let shape = shape.clone();
    c.set_output(0, shape);
    Ok(())
}

/// `ParallelConcat` of numbers, bools and strings.
#[kernel(ParallelConcat, device = CPU, T = [numbers, bool, TString])]
pub fn parallel_concat_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let shape: &PartialShape = context.attr("shape")?;
    let Some(shape) = shape.to_shape().filter(|shape| shape.rank() > 0) else {
        bail!("the attr shape must be fully known and no scalar, it is {shape}")
    };
    let (rows, values) = (shape[0], context.inputs());
    ensure!(values.len() <= rows, "{} values do not fit the {rows} rows of shape {shape}", values.len());
    for (index, value) in values.iter().enumerate() {
        ensure!(
            value.rank() == shape.rank() && value.shape()[0] == 1 && value.shape()[1..] == shape[1..],
            "values[{index}] must have the shape {shape} with 1 in place of the first extent, it has {}",
            value.shape()
        );
    }
    let rest = context.allocate_output(0, [&[rows - values.len()], &shape[1..]].concat())?;
    let rest = filled(rest)?;
    let mut out = context.allocate_output(0, shape)?;
    let pieces = values.iter().chain([&rest]).map(|tensor| Piece { tensor, length: tensor.num_elements() });
    join_rows(context.env(), &mut out, &pieces.collect::<Vec<_>>())?;
    context.set_output(0, out);
    Ok(())
}

fn filled(mut tensor: Tensor) -> Result<Tensor> {
    movement::fill(&mut tensor, None)?;
    Ok(tensor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

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
