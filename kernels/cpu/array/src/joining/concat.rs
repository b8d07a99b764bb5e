//! `Concat` and `ConcatV2`: tensors joined along one axis; `ConcatOffset`: where each part starts.
//!
//! The axis is a scalar in `[-rank, rank)`, negative values counting from the end. Every dtype. It is an error when
//! ranks or other extents differ, and when the values are scalars.
//!
//! `shape` of `ConcatOffset` is two or more vectors of one length that differ at most at `concat_dim`. Each output is a
//! vector of zeros with the sum of the former parts' extents at `concat_dim`.

use super::super::arguments;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Concat, ConcatOffset, ConcatV2, copies};

/// `Concat` of every dtype.
#[kernel(Concat, device = CPU, T = any, host_memory = [concat_dim])]
pub fn concat_cpu(concat_dim: &Tensor, values: &[Tensor], output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::concat::<Host>(concat_dim, values, output, env)
}

/// `ConcatV2` of every dtype.
#[kernel(ConcatV2, device = CPU, T = any, Tidx = any, host_memory = [axis])]
pub fn concat_v2_cpu(values: &[Tensor], axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::concat::<Host>(axis, values, output, env)
}

/// `ConcatOffset` of either integer type.
#[kernel(ConcatOffset, device = CPU, shape_type = [i32, i64])]
pub fn concat_offset_cpu(concat_dim: &Tensor, shape: &[Tensor], mut offset: OutputList<'_>) -> Result<()> {
    let axis = arguments::scalar(concat_dim, "concat_dim")?;
    let shapes = shape.iter().map(|shape| arguments::vector(shape, "shape")).collect::<Result<Vec<_>>>()?;
    let Some(first) = shapes.first() else { bail!("there must be at least two shapes") };
    let axis = arguments::axis(axis, first.len(), "concat_dim")?;
    let mut start = 0usize;
    for (part, (shape, mut offset)) in shapes.iter().zip(offset.iter_mut()).enumerate() {
        let same = |at: usize| at == axis || shape[at] == first[at];
        ensure!(
            shape.len() == first.len() && (0..shape.len()).all(same),
            "shape[{part}] = {shape:?} and shape[0] = {first:?} must be equal but for axis {axis}"
        );
        let mut starts = try_filled(0, shape.len())?;
        starts[axis] = start;
        arguments::set_indices(&mut offset, [starts.len()], &starts)?;
        start = start.wrapping_add(shape[axis] as usize);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_error, run, run_one};

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
