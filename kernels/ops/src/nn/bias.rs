//! Biases added to channels, and their gradient.

use oplink::prelude::*;

use crate::attrs::DataFormat;

/// Adds the vector `bias` along the channel axis of `value`.
///
/// `value` has rank 2 at least; its channel axis is the last one, or axis 1 with `data_format` `NCHW`, and is as long
/// as the vector `bias`. The output has the shape of `value` and reuses its memory where it can. Integers wrap.
#[op("BiasAdd",
     input = "value: T",
     input = "bias: T",
     output = "output: T",
     attr = "T: numbertype",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     enums(data_format = DataFormat),
     shape = shape_fns::bias_add)]
pub struct BiasAdd;

/// Adds the vector `bias` along the last axis of `value`.
///
/// As `BiasAdd` with `data_format` `NHWC`.
#[op("BiasAddV1",
     input = "value: T",
     input = "bias: T",
     output = "output: T",
     attr = "T: numbertype",
     shape = shape_fns::bias_add)]
pub struct BiasAddV1;

/// The sums of `out_backprop` along all axes but the channels.
///
/// `out_backprop` has rank 2 at least (3 with `data_format` `NCHW`); the output is a vector of its sums along all axes
/// but the channels, which are last, or axis 1 with `NCHW`. The 16-bit floats are summed in f32, integers wrap.
#[op("BiasAddGrad",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: numbertype",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     enums(data_format = DataFormat),
     shape = shape_fns::bias_add_grad)]
pub struct BiasAddGrad;
