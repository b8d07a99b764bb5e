//! Cumulative sums and products.

use oplink::prelude::*;

/// The running sums of `x` along `axis`.
///
/// `axis` is a scalar, negative counted from the end; the output has the input's shape. With `reverse` the scan runs
/// from the end; with `exclusive` each element gets the result of those before it, the first one 0. The 16-bit floats
/// are summed in f32; integers wrap.
#[op("Cumsum",
     input = "x: T",
     input = "axis: Tidx",
     output = "out: T",
     attr = "exclusive: bool = false",
     attr = "reverse: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::unchanged)]
pub struct Cumsum;

/// The running products of `x` along `axis`.
///
/// `axis`, `reverse` and `exclusive` as for `Cumsum`; the first element of an exclusive product is 1. The 16-bit floats
/// are multiplied in f32; integers wrap.
#[op("Cumprod",
     input = "x: T",
     input = "axis: Tidx",
     output = "out: T",
     attr = "exclusive: bool = false",
     attr = "reverse: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::unchanged)]
pub struct Cumprod;

/// The running logarithms of sums of exponentials of `x` along `axis`.
///
/// `axis`, `reverse` and `exclusive` as for `Cumsum`; the first element of an exclusive scan is negative infinity. No
/// intermediate result overflows. NaN stays from its place on; once infinity came, the result stays infinity. The
/// 16-bit floats are computed in f32.
#[op("CumulativeLogsumexp",
     input = "x: T",
     input = "axis: Tidx",
     output = "out: T",
     attr = "exclusive: bool = false",
     attr = "reverse: bool = false",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::unchanged)]
pub struct CumulativeLogsumexp;
