//! `UniqueWithCounts` and `UniqueWithCountsV2`: as `Unique` and `UniqueV2`, with the number of each.
//!
//! `count` says how often each element or slice of `y` comes in `x`.

use oplink::prelude::*;

use super::super::arguments;
use super::distinct::Distinct;
use super::unique::{read_axis, set_distinct, slices_along};

/// The distinct elements of a vector, where each of its elements stands among them, and how often each comes.
#[op(
    "UniqueWithCounts",
    no_gradient,
    input = "x: T",
    output = "y: T",
    output = "idx: out_idx",
    output = "count: out_idx",
    attr = "T: type",
    attr = "out_idx: {int32, int64} = DT_INT32"
)]
pub fn unique_with_counts(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, c.input(0).clone());
    c.set_output(2, PartialShape::new(&[None]));
    Ok(())
}

/// The distinct slices along an axis, where each slice stands among them, and how often each comes.
#[op(
    "UniqueWithCountsV2",
    no_gradient,
    input = "x: T",
    input = "axis: Taxis",
    output = "y: T",
    output = "idx: out_idx",
    output = "count: out_idx",
    attr = "T: type",
    attr = "Taxis: {int32, int64} = DT_INT64",
    attr = "out_idx: {int32, int64} = DT_INT32"
)]
pub fn unique_with_counts_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    let numbers = slices_along(c)?;
    let y = c.input(0).rank().map_or_else(PartialShape::unknown, PartialShape::unknown_of_rank);
    c.set_output(0, y);
    c.set_output(1, numbers);
    c.set_output(2, PartialShape::new(&[None]));
    Ok(())
}

/// `UniqueWithCounts` of real numbers, bools and strings.
#[kernel(UniqueWithCounts, device = CPU, T = [reals, bool, TString], out_idx = [i32, i64])]
pub fn unique_with_counts_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let found = set_distinct(context, None)?;
    set_counts(context, &found)
}

/// `UniqueWithCountsV2` of real numbers, bools and strings.
#[kernel(UniqueWithCountsV2, device = CPU, T = [reals, bool, TString], Taxis = any, out_idx = [i32, i64])]
pub fn unique_with_counts_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let axis = read_axis(context)?;
    let found = set_distinct(context, axis)?;
    set_counts(context, &found)
}

fn set_counts(context: &mut KernelContext<'_>, found: &Distinct) -> Result<()> {
    let counts = arguments::indices(context, 2, [found.firsts.len()], &found.counts())?;
    context.set_output(2, counts);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn counts() {
        let out = run("UniqueWithCounts", &[], vec![[true, false, true].into()]).unwrap();
        assert_eq!(out[2].as_slice::<i32>().unwrap(), [2, 1]);
        let x = Tensor::from_vec([3, 1], vec![5, 5, 6]).unwrap();
        let out = run("UniqueWithCountsV2", &[], vec![x, [0].into()]).unwrap();
        assert_eq!((out[0].shape().dims(), out[2].as_slice::<i32>().unwrap()), (&[2, 1][..], &[2, 1][..]));
    }
}
