//! `Unique`, `UniqueV2`, `UniqueWithCounts` and `UniqueWithCountsV2`: each element, or each slice along an axis, once.
//!
//! `y` has the distinct ones in the order of their first appearance, `idx` has for each element or slice of `x` its
//! index in `y`, `count` how often each of `y` comes. `Unique` takes a vector. `UniqueV2` takes slices along `axis`, a
//! vector of one axis (negative counts from the end), or a vector `x` where `axis` is empty. A NaN equals nothing;
//! zeros of either sign are equal, but in a vector of 16-bit floats.

use super::super::arguments;
use super::distinct::{Distinct, Zeros};
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, copy_axes_into};
use oplink_ops::array::{Unique, UniqueV2, UniqueWithCounts, UniqueWithCountsV2};

/// `Unique` and its kin, of real numbers, bools and strings.
#[kernel(Unique, device = CPU, T = [reals, bool, TString], out_idx = [i32, i64])]
#[kernel(UniqueV2, device = CPU, T = [reals, bool, TString], Taxis = any, out_idx = [i32, i64])]
#[kernel(UniqueWithCounts, device = CPU, T = [reals, bool, TString], out_idx = [i32, i64])]
#[kernel(UniqueWithCountsV2, device = CPU, T = [reals, bool, TString], Taxis = any, out_idx = [i32, i64])]
pub fn unique_cpu(
    x: &Tensor,
    axis: Option<&Tensor>,
    mut y: OutputSlot<'_>,
    mut idx: OutputSlot<'_>,
    count: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let axis = axis.map_or(Ok(None), |axis| read_axis(axis, x.rank()))?;
    ensure!(axis.is_some() || x.rank() == 1, "x must be a vector, it has shape {}", x.shape());
    let axis = axis.unwrap_or(0);
    let dims = x.shape();
    let (outer, slices): (usize, usize) = (dims[..axis].iter().product(), dims[axis]);
    let inner: usize = dims[axis + 1..].iter().product();
    let found = distinct_slices(x, [outer, slices, inner], env)?;
    let mut shape = dims.clone();
    shape.dims_mut()[axis] = found.firsts.len();
    let table: Vec<isize> = found.firsts.iter().map(|&first| (first * inner) as isize).collect();
    let axes = [
        Axis::Strided { count: outer, stride: (slices * inner) as isize },
        Axis::Table(&table),
        Axis::Strided { count: inner, stride: 1 },
    ];
    copy_axes_into(&env, y.allocate(shape)?, x, 0, &axes)?;
    arguments::set_indices(&mut idx, [slices], &found.numbers)?;
    match count {
        Some(mut count) => arguments::set_indices(&mut count, [found.firsts.len()], &found.counts()),
        None => Ok(()),
    }
}

/// The axis in `axis` of a tensor of this rank, if there is one.
fn read_axis(axis: &Tensor, rank: usize) -> Result<Option<usize>> {
    match arguments::vector(axis, "axis")?[..] {
        [] => Ok(None),
        [axis] => arguments::axis(axis, rank, "axis").map(Some),
        _ => bail!("axis must have one element at most, it has shape {}", axis.shape()),
    }
}

/// The distinct slices along the second axis of `x`, which has these extents.
fn distinct_slices(x: &Tensor, [outer, slices, inner]: [usize; 3], env: Env<'_>) -> Result<Distinct> {
    let zeros = if x.rank() == 1 { Zeros::Signed } else { Zeros::Equal };
    if outer == 1 {
        return Distinct::rows(x, slices, zeros);
    }
    let mut rows = env.allocate(x.dtype(), [slices, outer, inner])?;
    let axes = [(slices, inner), (outer, slices * inner), (inner, 1)];
    let axes = axes.map(|(count, stride)| Axis::Strided { count, stride: stride as isize });
    copy_axes_into(&env, &mut rows, x, 0, &axes)?;
    Distinct::rows(&rows, slices, zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_error, run};

    #[test]
    fn elements_once() {
        let out = run("Unique", &[("out_idx", DType::Int64.into())], vec![[3u8, 1, 3, 2].into()]).unwrap();
        assert_eq!(out[0].as_slice::<u8>().unwrap(), [3, 1, 2]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [0, 1, 0, 2]);
        check_error("Unique", [1.into()], "x must be a vector");
    }

    #[test]
    fn slices_once() {
        let x = Tensor::from_vec([2, 3], vec![1, 1, 2, 3, 3, 4]).unwrap();
        let out = run("UniqueV2", &[], vec![x.clone(), [-1].into()]).unwrap();
        assert_eq!((out[0].shape().dims(), out[0].as_slice::<i32>().unwrap()), (&[2, 2][..], &[1, 2, 3, 4][..]));
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [0, 0, 1]);
        let out = run("UniqueV2", &[], vec![x.clone(), [0i64].into()]).unwrap();
        assert_eq!((out[0].shape(), out[1].as_slice::<i32>().unwrap()), (x.shape(), &[0, 1][..]));
        check_error("UniqueV2", [x.clone(), [0, 1].into()], "one element at most");
        check_error("UniqueV2", [x, Tensor::from_slice::<i32>(&[])], "x must be a vector");
    }

    #[test]
    fn counts() {
        let out = run("UniqueWithCounts", &[], vec![[true, false, true].into()]).unwrap();
        assert_eq!(out[2].as_slice::<i32>().unwrap(), [2, 1]);
        let x = Tensor::from_vec([3, 1], vec![5, 5, 6]).unwrap();
        let out = run("UniqueWithCountsV2", &[], vec![x, [0].into()]).unwrap();
        assert_eq!((out[0].shape().dims(), out[2].as_slice::<i32>().unwrap()), (&[2, 1][..], &[2, 1][..]));
    }
}
