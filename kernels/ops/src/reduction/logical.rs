//! Truth values combined along axes.

use oplink::prelude::*;

/// Whether all elements of `input` are true over the axes in `reduction_indices`.
///
/// Axes and `keep_dims` as for `Sum`. Of no elements it is true.
#[op("All", is(reduces(all)),
     no_gradient,
     input = "input: bool",
     input = "reduction_indices: Tidx",
     output = "output: bool",
     attr = "keep_dims: bool = false",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct All;

/// Whether any element of `input` is true over the axes in `reduction_indices`.
///
/// Axes and `keep_dims` as for `Sum`. Of no elements it is false.
#[op("Any", is(reduces(any)),
     no_gradient,
     input = "input: bool",
     input = "reduction_indices: Tidx",
     output = "output: bool",
     attr = "keep_dims: bool = false",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Any;
