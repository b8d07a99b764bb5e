//! `ConcatOffset`: where each part starts in what tensors of the given shapes join to.
//!
//! `shape` is two or more vectors of one length that differ at most at `concat_dim` (negative counts from the end). Each
//! output is a vector of zeros with the sum of the former parts' extents at `concat_dim`.

use oplink::prelude::*;

use super::arguments;

/// The starts, in their concatenation along `concat_dim`, of tensors of these shapes.
#[op(
    "ConcatOffset",
    no_gradient,
    input = "concat_dim: int32",
    input = "shape: N * shape_type",
    output = "offset: N * shape_type",
    attr = "N: int >= 2",
    attr = "shape_type: {int32, int64} = DT_INT32"
)]
pub fn concat_offset(c: &mut ShapeContext<'_>) -> Result<()> {
    for index in 1..c.num_inputs() {
        c.set_output(index - 1, c.input(index).clone());
    }
    Ok(())
}

/// `ConcatOffset` of either integer type.
#[kernel(ConcatOffset, device = CPU, shape_type = [i32, i64])]
pub fn concat_offset_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let axis = arguments::scalar(context, 0, "concat_dim")?;
    let count = context.num_outputs();
    let shapes = (0..count).map(|part| arguments::vector(context, 1 + part, "shape")).collect::<Result<Vec<_>>>()?;
    let Some(first) = shapes.first() else { bail!("there must be at least two shapes") };
    let axis = arguments::axis(axis, first.len(), "concat_dim")?;
    let mut start = 0usize;
    for (part, shape) in shapes.iter().enumerate() {
        let same = |at: usize| at == axis || shape[at] == first[at];
        ensure!(
            shape.len() == first.len() && (0..shape.len()).all(same),
            "shape[{part}] = {shape:?} and shape[0] = {first:?} must be equal but for axis {axis}"
        );
        let mut offset = vec![0; shape.len()];
        offset[axis] = start;
        let out = arguments::indices(context, part, [offset.len()], &offset)?;
        context.set_output(part, out);
        start = start.wrapping_add(shape[axis] as usize);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check_error, run};

    #[test]
    fn sums_the_extents_before() {
        let shapes = [[2, 2, 7], [2, 3, 7], [2, 9, 7]].map(Tensor::from);
        let inputs = [vec![Tensor::scalar(-2)], shapes.to_vec()].concat();
        let out = run("ConcatOffset", &[], inputs).unwrap();
        let starts: Vec<_> = out.iter().map(|out| out.as_slice::<i32>().unwrap()).collect();
        assert_eq!(starts, [[0, 0, 0], [0, 2, 0], [0, 5, 0]]);
        check_error("ConcatOffset", [0.into(), [1, 2].into(), [1, 3].into()], "must be equal but for axis 0");
        check_error("ConcatOffset", [2.into(), [1, 2].into(), [1, 2].into()], "axis 2 is outside");
    }
}
