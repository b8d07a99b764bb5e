//! Rows of a tensor replaced or changed, tensors with arbitrary elements, coordinates of elements by their number.

use oplink::prelude::*;

/// `x` with its rows `i` replaced by those of `v`.
///
/// `v` has a row for each element of the vector `i`, of the shape of those of `x`. Indices are taken modulo the number
/// of rows; of equal ones the last row stays. The output takes the memory of `x` where nobody else needs it.
#[op("InplaceUpdate", input = "x: T", input = "i: int32", input = "v: T", output = "y: T", attr = "T: type",
     shape = shape_fns::unchanged)]
pub struct InplaceUpdate;

/// As `InplaceUpdate`, the rows of `v` being added.
#[op("InplaceAdd", input = "x: T", input = "i: int32", input = "v: T", output = "y: T", attr = "T: type",
     shape = shape_fns::unchanged)]
pub struct InplaceAdd;

/// As `InplaceUpdate`, the rows of `v` being subtracted.
#[op("InplaceSub", input = "x: T", input = "i: int32", input = "v: T", output = "y: T", attr = "T: type",
     shape = shape_fns::unchanged)]
pub struct InplaceSub;

/// A tensor of the shape in the vector `shape`, with zeros, or with `init` false anything.
#[op(
    "Empty",
    input = "shape: int32",
    output = "output: dtype",
    attr = "dtype: type",
    attr = "init: bool = false",
    stateful
)]
pub fn empty(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(0)?;
    c.set_output(0, shape);
    Ok(())
}

/// The coordinates of elements, given by their numbers in row-major order, in a tensor of the extents `dims`.
///
/// `indices` is a scalar, which gives [dims], or a vector, which gives [dims, indices]. Numbers beyond the last element
/// are errors; negative ones give remainders and quotients that are rounded to zero.
#[op(
    "UnravelIndex",
    input = "indices: Tidx",
    input = "dims: Tidx",
    output = "output: Tidx",
    attr = "Tidx: {int32, int64} = DT_INT32"
)]
pub fn unravel_index(c: &mut ShapeContext<'_>) -> Result<()> {
    let axes = c.with_rank(1, 1)?.dim(0);
    let indices = c.input(0).clone();
    match indices.rank() {
        None => {}
        Some(0) => c.set_output(0, PartialShape::new(&[axes])),
        Some(_) => {
            let count = indices.dims().and_then(|dims| dims.iter().copied().product::<Option<usize>>());
            c.set_output(0, PartialShape::new(&[axes, count]));
        }
    }
    Ok(())
}
