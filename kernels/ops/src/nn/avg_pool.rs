//! Average pooling and its gradients.

use oplink::prelude::*;

use crate::attrs::{DataFormat, Padding, VolumeFormat};

/// The mean of each window of `value`.
///
/// `value` is [batch, rows, columns, channels]; the window moves along rows and columns. Padding does not count: the
/// mean is over the values that the window covers. The 16-bit floats are summed in f32.
#[op("AvgPool",
     input = "value: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: {half, bfloat16, float, double}",
     enums(padding = Padding, data_format = DataFormat),
     shape = shape_fns::avg_pool)]
pub struct AvgPool;

/// The gradient of `AvgPool`.
///
/// `orig_input_shape` holds the shape of the pooling's input, `grad` has the shape of its output. The gradient of each
/// window is shared out evenly among the values that the window covers. The 16-bit floats are summed in f32.
#[op("AvgPoolGrad",
     input = "orig_input_shape: int32",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: {half, bfloat16, float, double}",
     enums(padding = Padding, data_format = DataFormat),
     shape = shape_fns::avg_pool_grad)]
pub struct AvgPoolGrad;

/// The mean of each window of a volume.
///
/// `input` is [batch, planes, rows, columns, channels]. Padding does not count: the mean is over the values that the
/// window covers. The 16-bit floats are summed in f32.
#[op("AvgPool3D",
     input = "input: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float, double}",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::pool3d)]
pub struct AvgPool3D;

/// The gradient of `AvgPool3D`.
///
/// `orig_input_shape` holds the shape of the pooling's input, `grad` has the shape of its output. The gradient of each
/// window is shared out evenly among the values that the window covers. The 16-bit floats are summed in f32.
#[op("AvgPool3DGrad",
     input = "orig_input_shape: int32",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float, double}",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::avg_pool3d_grad)]
pub struct AvgPool3DGrad;
