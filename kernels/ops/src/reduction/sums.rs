//! Sums, means, products and norms along axes.

use oplink::prelude::*;

/// The sum of the elements of `input` over the axes in `reduction_indices`.
///
/// `reduction_indices`, a scalar or a vector, lists the axes, negative ones counted from the end; with `keep_dims` they
/// stay with extent 1. No elements sum to 0. Floats are summed pairwise in blocks, the 16-bit floats in f32; integers
/// wrap. It is an error when an axis does not exist or is listed twice.
#[op("Sum", is(reduces(sum)),
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Sum;

/// The mean of the elements of `input` over the axes in `reduction_indices`.
///
/// Axes and `keep_dims` as for `Sum`. Floats are summed as in `Sum`. Integers are summed in 64 bits, wrapping, and the
/// quotient is truncated towards zero. The mean of no elements is NaN for real floats and 0 for all other numbers.
#[op("Mean", is(reduces(mean)),
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Mean;

/// The product of the elements of `input` over the axes in `reduction_indices`.
///
/// Axes and `keep_dims` as for `Sum`. No elements multiply to 1. The 16-bit floats are multiplied in f32; integers
/// wrap.
#[op("Prod", is(reduces(product)),
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Prod;

/// The Euclidean norm of the elements of `input` over the axes in `reduction_indices`.
///
/// Axes and `keep_dims` as for `Sum`; 0 for no elements. Squares are formed and summed in the dtype (f32 for the 16-bit
/// floats), so that integers wrap and floats may overflow; the root of an integer is truncated.
#[op("EuclideanNorm", is(reduces(euclidean_norm)),
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct EuclideanNorm;
