//! `Unique` and `UniqueV2`: each element, or each slice along an axis, once.
//!
//! `y` has the distinct ones in the order of their first appearance, `idx` says for each element or slice of `x` where it
//! stands in `y`. `Unique` takes a vector. `UniqueV2` takes slices along `axis`, a vector of one axis (negative counts
//! from the end), or a vector `x` where `axis` is empty. A NaN equals nothing; zeros of either sign are equal,
//! but in a vector of 16-bit floats.

use oplink::prelude::*;

use super::super::arguments;
use super::distinct::{Distinct, Zeros};
use crate::support::movement::{Axis, copy_axes, copy_axes_into};

/// The distinct elements of a vector, and where each of its elements stands among them.
#[op(
    "Unique",
    no_gradient,
    input = "x: T",
    output = "y: T",
    output = "idx: out_idx",
    attr = "T: type",
    attr = "out_idx: {int32, int64} = DT_INT32"
)]
pub fn unique(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, c.input(0).clone());
    Ok(())
}

/// The distinct slices along an axis, and where each slice stands among them.
#[op(
    "UniqueV2",
    no_gradient,
    input = "x: T",
    input = "axis: Taxis",
    output = "y: T",
    output = "idx: out_idx",
    attr = "T: type",
    attr = "Taxis: {int32, int64} = DT_INT64",
    attr = "out_idx: {int32, int64} = DT_INT32"
)]
pub fn unique_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let numbers = slices_along(c)?;
    let y = c.input(0).rank().map_or_else(PartialShape::unknown, PartialShape::unknown_of_rank);
    c.set_output(0, y);
    c.set_output(1, numbers);
    Ok(())
}

/// A vector with an element for each slice of input 0 along the axis in input 1.
pub(super) fn slices_along(c: &ShapeContext<'_>) -> Result<PartialShape> {
    let (Some(axis), Some(dims)) = (c.constant_ints(1)?, c.input(0).dims()) else {
        return Ok(PartialShape::new(&[None]));
    };
    c.with_rank(1, 1)?;
    match axis[..] {
        [] => c.with_rank(0, 1),
        [axis] => Ok(PartialShape::new(&[dims[oplink::normalize_axis(axis, dims.len())?]])),
        _ => bail!("axis must have one element at most, it is {axis:?}"),
    }
}

/// `Unique` of real numbers, bools and strings.
#[kernel(Unique, device = CPU, T = [reals, bool, TString], out_idx = [i32, i64])]
pub fn unique_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    set_distinct(context, None)?;
    Ok(())
}

/// `UniqueV2` of real numbers, bools and strings.
#[kernel(UniqueV2, device = CPU, T = [reals, bool, TString], Taxis = any, out_idx = [i32, i64])]
pub fn unique_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let axis = read_axis(context)?;
    set_distinct(context, axis)?;
    Ok(())
}

/// The axis in input 1, if there is one.
pub(super) fn read_axis(context: &KernelContext<'_>) -> Result<Option<usize>> {
    match arguments::vector(context, 1, "axis")?[..] {
        [] => Ok(None),
        [axis] => arguments::axis(axis, context.input(0).rank(), "axis").map(Some),
        _ => bail!("axis must have one element at most, it has shape {}", context.input(1).shape()),
    }
}

/// Sets output 0 to the distinct slices of input 0 along the axis, or of a vector its distinct elements, and output 1 to
/// where each slice stands among them.
pub(super) fn set_distinct(context: &mut KernelContext<'_>, axis: Option<usize>) -> Result<Distinct> {
    let x = context.input(0);
    ensure!(axis.is_some() || x.rank() == 1, "x must be a vector, it has shape {}", x.shape());
    let axis = axis.unwrap_or(0);
    let dims = x.shape();
    let (outer, count): (usize, usize) = (dims[..axis].iter().product(), dims[axis]);
    let inner: usize = dims[axis + 1..].iter().product();
    let zeros = if x.rank() == 1 { Zeros::Signed } else { Zeros::Equal };
    let found = match outer {
        1 => Distinct::rows(x, count, zeros)?,
        _ => {
            let mut rows = context.allocate(x.dtype(), [count, outer, inner])?;
            let axes = [(count, inner), (outer, count * inner), (inner, 1)];
            let axes = axes.map(|(count, stride)| Axis::Strided { count, stride: stride as isize });
            copy_axes_into(context.env(), &mut rows, x, 0, &axes)?;
            Distinct::rows(&rows, count, zeros)?
        }
    };
    let mut shape = dims.clone();
    shape.dims_mut()[axis] = found.firsts.len();
    let table: Vec<isize> = found.firsts.iter().map(|&first| (first * inner) as isize).collect();
    let axes = [
        Axis::Strided { count: outer, stride: (count * inner) as isize },
        Axis::Table(&table),
        Axis::Strided { count: inner, stride: 1 },
    ];
    let y = copy_axes(context, 0, shape, x, 0, &axes)?;
    let numbers = arguments::indices(context, 1, [count], &found.numbers)?;
    context.set_output(0, y);
    context.set_output(1, numbers);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check_error, run};

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
}
