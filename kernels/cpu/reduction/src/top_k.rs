//! `TopK` and `TopKV2`: the `k` largest elements along the last axis, and their positions.
//!
//! `input` has rank 1 at least; `k`, an attr of `TopK`, a scalar input of `TopKV2`, is >= 0 and at most the last
//! extent. Values come in falling order, equal ones in the order of their positions, whether or not `sorted` asks for
//! it. NaN counts as larger than every number. It is an error when the last extent is larger than the largest number of
//! the positions' dtype.

use super::arg_extremum::Position;
use oplink::memory::try_filled;
use oplink::parallel::watched_order;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::reduction::{ApproxTopK, TopK, TopKV2};
use std::cmp::{Ordering, Reverse};

/// Input elements that one thread should at least have.
const TASK_COST: usize = 1 << 14;

/// Up to so many results are kept in order while the row is read once; more are selected, then sorted.
const FEW: usize = 24;

/// `TopK` for every real number.
#[kernel(TopK, device = CPU, T = [reals])]
pub fn top_k_v1_cpu<T: Sortable>(
    input: &Tensor,
    k: i64,
    values: OutputSlot<'_>,
    indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    largest::<T>(input, k, values, indices, &env)
}

/// `TopKV2` for every real number.
#[kernel(TopKV2, device = CPU, T = [reals], Tk = [i16, i32, i64], index_type = [i16, i32, i64])]
pub fn top_k_cpu<T: Sortable>(
    input: &Tensor,
    k: &Tensor,
    values: OutputSlot<'_>,
    indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(k.rank() == 0, "k must be a scalar, its shape is {}", k.shape());
    largest::<T>(input, int_values(k)?[0], values, indices, &env)
}

/// `ApproxTopK` for floats, exact.
#[kernel(ApproxTopK, device = CPU, T = [f16, bf16, f32])]
pub fn approx_top_k_cpu<T: Sortable>(
    input: &Tensor,
    k: i64,
    reduction_dimension: i64,
    is_max_k: bool,
    values: OutputSlot<'_>,
    indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    if reduction_dimension != -1 || !is_max_k {
        return Err(Error::unimplemented("ApproxTopK finds the largest along the last axis, -1, only"));
    }
    largest::<T>(input, k, values, indices, &env)
}

/// A real number with a key that sorts as the number does.
pub trait Sortable: Real {
    /// Grows with the value. All NaNs have one key, larger than all others; so have both zeros.
    fn sort_key(self) -> u64;
}

macro_rules! sortable {
    ($($ty:ty: |$value:ident| $key:expr;)*) => {$(
        impl Sortable for $ty {
            #[inline]
            fn sort_key(self) -> u64 { let $value = self; $key }
        }
    )*};
}

macro_rules! sortable_integers {
    ($($ty:ty),*) => { sortable! { $($ty: |value| (value as i64 as u64) ^ 1 << 63;)* } };
}

sortable_integers!(i8, i16, i32, i64, u8, u16, u32);

sortable! {
    u64: |value| value;
    f16: |value| f64::from(value).sort_key();
    bf16: |value| f64::from(value).sort_key();
    f32: |value| f64::from(value).sort_key();
    f64: |value| {
        // Adding 0 turns -0 into 0.
        let bits = (value + 0.0).to_bits();
        match value.is_nan() {
            true => u64::MAX,
            false if bits >> 63 == 1 => !bits,
            false => bits | 1 << 63,
        }
    };
}

/// Sets the outputs to the `k` largest elements of `input` along its last axis, and their positions.
fn largest<T: Sortable>(
    input: &Tensor,
    k: i64,
    mut values: OutputSlot<'_>,
    mut indices: OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let Some((&extent, leading)) = input.shape().split_last() else {
        bail!("input must be of rank 1 at least, it is a scalar")
    };
    ensure!(k >= 0, "k must be >= 0, it is {k}");
    ensure!(k as u64 <= extent as u64, "k is {k}, input has {extent} elements along its last axis");
    let k = k as usize;
    let most = match indices.dtype() {
        DType::Int16 => i16::LARGEST,
        DType::Int32 => i32::LARGEST,
        _ => i64::LARGEST,
    };
    ensure!(
        extent <= most,
        "input has {extent} elements along its last axis, indices of this type hold {most} at most"
    );
    let mut shape = leading.to_vec();
    shape.push(k);
    let (values, indices) = (values.allocate(shape.clone())?, indices.allocate(shape)?);
    if values.num_elements() == 0 {
        return Ok(());
    }
    let input = input.as_slice::<T>()?;
    let positions = positions(env, extent, k, values.num_elements(), input)?;
    let rows = input.chunks_exact(extent);
    for ((row, values), positions) in rows.zip(values.as_mut_slice::<T>()?.chunks_exact_mut(k)).zip(positions.chunks(k))
    {
        values.iter_mut().zip(positions).for_each(|(value, &position)| *value = row[position]);
    }
    match indices.dtype() {
        DType::Int16 => write::<i16>(indices, &positions),
        DType::Int32 => write::<i32>(indices, &positions),
        _ => write::<i64>(indices, &positions),
    }
}

/// Writes positions that the dtype can hold.
fn write<U: Position>(indices: &mut Tensor, positions: &[usize]) -> Result<()> {
    for (index, &position) in indices.as_mut_slice::<U>()?.iter_mut().zip(positions) {
        *index = U::from_usize(position);
    }
    Ok(())
}

/// The positions of the results, row by row.
fn positions<T: Sortable>(env: &Env<'_>, extent: usize, k: usize, count: usize, input: &[T]) -> Result<Vec<usize>> {
    let mut positions = try_filled(0, count)?;
    let grain = TASK_COST.div_ceil(extent).saturating_mul(k);
    for_each_row(env, &mut positions, k, grain, &|row, out| {
        let row = &input[row * extent..][..extent];
        if k <= FEW {
            keep_largest(row, out, env);
        } else {
            select_largest(env.watch(row).map(|value| Reverse(value.sort_key())).zip(0..).collect(), out, env);
        }
    });
    Ok(positions)
}

/// Falling values, then rising positions.
fn order<T: Real>(row: &[T], a: usize, b: usize) -> Ordering {
    let (x, y) = (row[a], row[b]);
    let falling = y.partial_cmp(&x).unwrap_or_else(|| y.is_nan_value().cmp(&x.is_nan_value()));
    falling.then(a.cmp(&b))
}

/// Positions of the `out.len()` largest values of a row, in order; in one pass.
fn keep_largest<T: Real>(row: &[T], out: &mut [usize], env: &Env<'_>) {
    let (mut kept, k) = (0, out.len());
    for position in env.watch(0..row.len()) {
        if kept == k && order(row, position, out[k - 1]) != Ordering::Less {
            continue;
        }
        kept += usize::from(kept < k);
        let place = out[..kept - 1].partition_point(|&other| order(row, other, position) == Ordering::Less);
        out.copy_within(place..kept - 1, place + 1);
        out[place] = position;
    }
}

/// As [`keep_largest`], for many results of a row of keys with their positions.
fn select_largest(mut row: Vec<(Reverse<u64>, usize)>, out: &mut [usize], env: &Env<'_>) {
    if out.len() < row.len() {
        row.select_nth_unstable_by(out.len(), watched_order(env));
        row.truncate(out.len());
    }
    row.sort_unstable_by(watched_order(env));
    for (out, (_, position)) in out.iter_mut().zip(row) {
        *out = position;
    }
}

#[cfg(test)]
mod top_k_v2_tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, check_error, output_shapes, run, run_in};

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

#[cfg(test)]
mod top_k_tests {
    use super::*;
    use oplink_cpu_support::testing::{output_shapes, run};

    #[test]
    fn the_largest_come_first() {
        let input = Tensor::from_vec([2, 3], vec![1.0f32, 3.0, 2.0, 5.0, 5.0, 4.0]).unwrap();
        let out = run("TopK", &[("k", 2.into())], vec![input.clone()]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [3.0, 2.0, 5.0, 5.0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [1, 2, 0, 1]);
        assert!(run("TopK", &[("k", 4.into())], vec![input.clone()]).is_err());
        let shapes = output_shapes("TopK", &[("k", 2.into())], &[input]).unwrap();
        assert_eq!(shapes[1], PartialShape::new(&[Some(2), Some(2)]));
    }
}
