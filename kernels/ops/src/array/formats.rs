//! Axes and extents of images from one order of axes to another.

use oplink::prelude::*;

/// The numbers of axes of the order `src_format` as those of the same axes in `dst_format`.
///
/// Both orders have the same 4 or 5 letters. Numbers are taken modulo their count.
#[op("DataFormatDimMap", input = "x: T", output = "y: T", attr = "T: {int32, int64} = DT_INT32",
     attr = "src_format: string = 'NHWC'", attr = "dst_format: string = 'NCHW'", shape = shape_fns::unchanged)]
pub struct DataFormatDimMap;

/// What stands for each axis in the order `src_format`, in the order `dst_format`.
///
/// `x` is a vector with an element for each axis, or a matrix with two; or for the axes `D`, `H` and `W` alone.
#[op("DataFormatVecPermute", input = "x: T", output = "y: T", attr = "T: {int32, int64} = DT_INT32",
     attr = "src_format: string = 'NHWC'", attr = "dst_format: string = 'NCHW'", shape = shape_fns::unchanged)]
pub struct DataFormatVecPermute;
