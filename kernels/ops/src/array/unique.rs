//! Distinct elements.

use oplink::prelude::*;

/// The elements of `x` that are not in `y`, and their positions.
///
/// `out` has the elements of `x` that are not in `y`, in their order and as often as they come, `idx` their positions
/// in `x`. A NaN equals nothing; zeros of either sign are equal, but those of 16-bit floats.
#[op(
    "ListDiff",
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "out: T",
    output = "idx: out_idx",
    attr = "T: type",
    attr = "out_idx: {int32, int64} = DT_INT32"
)]
pub fn list_diff(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.with_rank(1, 1)?;
    c.set_output(0, PartialShape::new(&[None]));
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// The distinct elements of a vector, and where each of its elements stands among them.
///
/// `y` has the distinct ones in the order of their first appearance, `idx` says for each element or slice of `x` where
/// it stands in `y`. `Unique` takes a vector. `UniqueV2` takes slices along `axis`, a vector of one axis (negative
/// counts from the end), or a vector `x` where `axis` is empty. A NaN equals nothing; zeros of either sign are equal,
/// but in a vector of 16-bit floats.
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
pub fn slices_along(c: &ShapeContext<'_>) -> Result<PartialShape> {
    let (Some(axis), Some(dims)) = (c.constant_ints(1)?, c.input(0).dims()) else {
        return Ok(PartialShape::new(&[None]));
    };
    c.with_rank(1, 1)?;
    match axis[..] {
        [] => c.with_rank(0, 1),
        [axis] => Ok(PartialShape::new(&[dims[oplink::shape_inference::normalize_axis(axis, dims.len())?]])),
        _ => bail!("axis must have one element at most, it is {axis:?}"),
    }
}

/// The distinct elements of a vector, where each of its elements stands among them, and how often each comes.
///
/// `count` says how often each element or slice of `y` comes in `x`.
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
