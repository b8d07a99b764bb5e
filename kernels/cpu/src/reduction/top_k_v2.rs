//! `TopKV2`: the `k` largest elements along the last axis, and where they stand.
//!
//! `input` has rank 1 at least; `k` is a scalar >= 0 and at most the last extent. Values come in falling order, equal ones
//! in the order of their positions, whether or not `sorted` asks for it. NaN counts as larger than every number. It is an
//! error when the last extent is larger than the largest number of `index_type`.
#![allow(non_camel_case_types, reason = "generic parameters have the names of attrs")]

use std::cmp::Ordering;

use oplink::{int_values, prelude::*};

use super::arg_extremum::Position;
use crate::support::parallel::for_each_row;

/// Input elements that one thread should at least have.
const TASK_COST: usize = 1 << 14;
/// Up to so many results are kept in order while the row is read once; more are selected, then sorted.
const FEW: usize = 24;

/// The `k` largest elements of `input` along its last axis, and their positions.
#[op(
    "TopKV2",
    input = "input: T",
    input = "k: Tk",
    output = "values: T",
    output = "indices: index_type",
    attr = "sorted: bool = true",
    attr = "T: realnumbertype",
    attr = "Tk: {int16, int32, int64} = DT_INT32",
    attr = "index_type: {int16, int32, int64} = DT_INT32"
)]
pub fn top_k_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    c.with_rank(1, 0)?;
    let k = c.constant_int(1)?;
    ensure!(k.is_none_or(|k| k >= 0), "k must be >= 0, it is {}", k.unwrap_or_default());
    let k = k.map(|k| k as usize);
    let shape = match input.dims().and_then(<[_]>::split_last) {
        None => PartialShape::unknown(),
        Some((&last, leading)) => {
            if let (Some(last), Some(k)) = (last, k) {
                ensure!(k <= last, "k is {k}, input of shape {input} has {last} elements along its last axis");
            }
            leading.iter().copied().chain([k]).collect()
        }
    };
    c.set_output(0, shape.clone());
    c.set_output(1, shape);
    Ok(())
}

/// `TopKV2` for every real number.
#[kernel(TopKV2, device = CPU, T = [reals], Tk = [i16, i32, i64], index_type = [i16, i32, i64])]
pub fn top_k_cpu<T: Real, index_type: Position>(context: &mut KernelContext<'_>) -> Result<()> {
    let k = context.input(1);
    ensure!(k.rank() == 0, "k must be a scalar, its shape is {}", k.shape());
    let k = int_values(k)?[0];
    largest::<T, index_type>(context, k)
}

/// Sets the outputs to the `k` largest elements of input 0 along its last axis, and their positions.
pub(super) fn largest<T: Real, index_type: Position>(context: &mut KernelContext<'_>, k: i64) -> Result<()> {
    let input = context.input(0);
    let Some((&extent, leading)) = input.shape().split_last() else {
        bail!("input must be of rank 1 at least, it is a scalar")
    };
    ensure!(k >= 0, "k must be >= 0, it is {k}");
    ensure!(k as u64 <= extent as u64, "k is {k}, input has {extent} elements along its last axis");
    let k = k as usize;
    let most = index_type::LARGEST;
    ensure!(
        extent <= most,
        "input has {extent} elements along its last axis, indices of this type hold {most} at most"
    );
    let shape: Shape = leading.iter().copied().chain([k]).collect();
    let mut values = context.allocate_output(0, shape.clone())?;
    let mut indices = context.allocate_output(1, shape)?;
    if values.num_elements() > 0 {
        let positions = positions(context, extent, k, values.num_elements(), input.as_slice::<T>()?);
        let rows = input.as_slice::<T>()?.chunks_exact(extent);
        for ((row, values), positions) in
            rows.zip(values.as_mut_slice::<T>()?.chunks_exact_mut(k)).zip(positions.chunks(k))
        {
            values.iter_mut().zip(positions).for_each(|(value, &position)| *value = row[position]);
        }
        for (index, &position) in indices.as_mut_slice::<index_type>()?.iter_mut().zip(&positions) {
            *index = index_type::from_usize(position);
        }
    }
    context.set_output(0, values);
    context.set_output(1, indices);
    Ok(())
}

/// The positions of the results, row by row.
fn positions<T: Real>(context: &KernelContext<'_>, extent: usize, k: usize, count: usize, input: &[T]) -> Vec<usize> {
    let mut positions = vec![0; count];
    let grain = TASK_COST.div_ceil(extent).saturating_mul(k);
    for_each_row(context.env(), &mut positions, k, grain, &|row, out| {
        let row = &input[row * extent..][..extent];
        if k <= FEW { keep_largest(row, out) } else { select_largest(row, out) }
    });
    positions
}

/// Falling values, then rising positions.
fn order<T: Real>(row: &[T], a: usize, b: usize) -> Ordering {
    let (x, y) = (row[a], row[b]);
    let falling = y.partial_cmp(&x).unwrap_or_else(|| y.is_nan_value().cmp(&x.is_nan_value()));
    falling.then(a.cmp(&b))
}

/// Positions of the `out.len()` largest values of a row, in order; in one pass.
fn keep_largest<T: Real>(row: &[T], out: &mut [usize]) {
    let (mut kept, k) = (0, out.len());
    for position in 0..row.len() {
        if kept == k && order(row, position, out[k - 1]) != Ordering::Less {
            continue;
        }
        kept += usize::from(kept < k);
        let place = out[..kept - 1].partition_point(|&other| order(row, other, position) == Ordering::Less);
        out.copy_within(place..kept - 1, place + 1);
        out[place] = position;
    }
}

/// As [`keep_largest`], for many results.
fn select_largest<T: Real>(row: &[T], out: &mut [usize]) {
    let mut positions: Vec<usize> = (0..row.len()).collect();
    if out.len() < row.len() {
        positions.select_nth_unstable_by(out.len(), |&a, &b| order(row, a, b));
        positions.truncate(out.len());
    }
    positions.sort_unstable_by(|&a, &b| order(row, a, b));
    out.copy_from_slice(&positions);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{Threads, check_error, output_shapes, run, run_in};

    fn top(input: impl Into<Tensor>, k: i32) -> (Tensor, Vec<i32>) {
        let mut outputs = run("TopKV2", &[], vec![input.into(), k.into()]).unwrap();
        let indices = outputs.pop().unwrap();
        assert_eq!(outputs[0].shape(), indices.shape());
        (outputs.pop().unwrap(), indices.as_slice().unwrap().to_vec())
    }

    #[test]
    fn the_largest_in_order() {
        let (values, indices) = top([1.0f32, 3.0, 2.0, 3.0, 0.0], 3);
        assert_eq!((values.as_slice::<f32>().unwrap(), indices), (&[3.0, 3.0, 2.0][..], vec![1, 3, 2]));
        let (values, indices) = top(Tensor::from_vec([2, 3], vec![4u8, 9, 5, 7, 7, 8]).unwrap(), 2);
        assert_eq!((values.as_slice::<u8>().unwrap(), indices), (&[9, 5, 8, 7][..], vec![1, 2, 2, 0]));
        assert_eq!(top([-0.0f32, 0.0, -0.0, 0.0], 4).1, [0, 1, 2, 3]);
        assert_eq!(top([1.0f32, f32::NAN, 2.0, 3.0, 0.0], 3).1, [1, 3, 2]);
        assert_eq!(top(Tensor::full([2, 3], 1.0f32), 0).0.shape().dims(), [2, 0]);
    }

    #[test]
    fn few_and_many_agree_with_sorting() {
        let values: Vec<i32> = (0..900).map(|i: i32| i.wrapping_mul(0x9e37_79b1u32 as i32) >> 24).collect();
        let mut sorted: Vec<usize> = (0..300).collect();
        sorted.sort_by_key(|&i| -values[i]);
        let input = Tensor::from_vec([3, 300], values).unwrap();
        for k in [1, 2, FEW, FEW + 1, 300] {
            let (_, indices) = top(input.clone(), k as i32);
            assert!(indices[..k].iter().zip(&sorted).all(|(&a, &b)| a as usize == b), "{k}");
        }
    }

    #[test]
    fn threads_agree() {
        let input = Tensor::from_vec([500, 100], (0..50_000).map(|i| (i as f32 * 0.77).sin()).collect()).unwrap();
        let indices = |threads| {
            let outputs = run_in(&Threads(threads), "TopKV2", &[], vec![input.clone(), 7i64.into()]).unwrap();
            outputs[1].as_slice::<i32>().unwrap().to_vec()
        };
        assert_eq!(indices(1), indices(4));
    }

    #[test]
    fn wrong_inputs_are_errors() {
        let matrix = Tensor::full([2, 3], 1.0f32);
        check_error("TopKV2", [matrix.clone(), 4.into()], "k is 4");
        check_error("TopKV2", [matrix.clone(), (-1).into()], "k must be >= 0");
        check_error("TopKV2", [matrix, [1].into()], "k must be a scalar");
        check_error("TopKV2", [1.0f32.into(), 1.into()], "rank 1 at least");
        let attrs = [("index_type", DType::Int16.into())];
        assert!(run("TopKV2", &attrs, vec![Tensor::full([40_000], 1u8), 1.into()]).is_err());
    }

    #[test]
    fn shapes() {
        let shapes = output_shapes("TopKV2", &[], &[Tensor::full([2, 3], 1.0f32), 2.into()]).unwrap();
        assert_eq!(shapes, vec![PartialShape::new(&[Some(2), Some(2)]); 2]);
        assert!(output_shapes("TopKV2", &[], &[Tensor::full([2, 3], 1.0f32), 4.into()]).is_err());
    }
}
