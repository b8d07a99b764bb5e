//! Maximum pooling and its gradients.

use oplink::prelude::*;

use crate::attrs::{DataFormat, PackedFormat, Padding, VolumeFormat, WindowPadding};

/// The largest value in each window of `input`.
///
/// `input` is [batch, rows, columns, channels]. The window moves along rows and columns, or along channels alone (then
/// it takes all of a channel group: `ksize` equals `strides` and divides the channels). Padding counts as no value. NaN
/// is passed over; a window without a larger value gives the smallest finite one.
#[op("MaxPool",
     input = "input: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     enums(padding = WindowPadding, data_format = PackedFormat),
     shape = shape_fns::max_pool)]
pub struct MaxPool;

/// The largest value in each window of a volume.
///
/// `input` is [batch, planes, rows, columns, channels]. Padding counts as no value. A window's NaN is passed over
/// unless it is the last value.
#[op("MaxPool3D",
     input = "input: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float}",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::pool3d)]
pub struct MaxPool3D;

/// The gradient of `MaxPool3D`.
///
/// `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_output`. The gradient of each window
/// goes to every one of its values that is less than 1e-5 away from the pooling's output. Gradients of bfloat16 are
/// summed in f32.
#[op("MaxPool3DGrad",
     input = "orig_input: TInput",
     input = "orig_output: TInput",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: {half, bfloat16, float} = DT_FLOAT",
     attr = "TInput: {half, bfloat16, float} = DT_FLOAT",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::max_pool3d_grad)]
pub struct MaxPool3DGrad;

/// The gradient of `MaxPool3DGrad` with respect to its gradient.
///
/// `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_input`, the output that of
/// `orig_output`. Each window takes the gradient at the first of its values that equals the pooling's output, 0 where
/// none does.
#[op("MaxPool3DGradGrad",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 5",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "T: realnumbertype",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::max_pool3d_grad_grad)]
pub struct MaxPool3DGradGrad;

/// The gradient of `MaxPool`.
///
/// `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_output`. The gradient of each window
/// goes to the first of its largest values; NaN is the largest where it comes first, and is passed over otherwise.
/// Gradients of 16-bit floats are summed in f32.
#[op("MaxPoolGrad",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: realnumbertype = DT_FLOAT",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::max_pool_grad)]
pub struct MaxPoolGrad;

/// The gradient of `MaxPoolGrad` with respect to its gradient.
///
/// `orig_input` and `orig_output` are the pooling's, `grad` has the shape of `orig_input`, the output that of
/// `orig_output`. Each window takes the gradient at the first of its values that equals the pooling's output, 0 where
/// none does.
#[op("MaxPoolGradGrad",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: realnumbertype",
     enums(padding = Padding, data_format = DataFormat),
     shape = shape_fns::max_pool_grad_grad)]
pub struct MaxPoolGradGrad;

/// The gradient of `MaxPoolGradV2` with respect to its gradient.
///
/// As `MaxPoolGradGrad`, with `ksize` and `strides` as inputs: vectors of a number for each axis of `orig_input`.
#[op("MaxPoolGradGradV2",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     input = "ksize: int32",
     input = "strides: int32",
     output = "output: T",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: realnumbertype",
     enums(padding = Padding, data_format = DataFormat),
     shape = shape_fns::max_pool_grad_grad_v2)]
pub struct MaxPoolGradGradV2;

/// The gradient of `MaxPoolV2`.
///
/// As `MaxPoolGrad`, with `ksize` and `strides` as inputs: vectors of a number for each axis of `orig_input`.
#[op("MaxPoolGradV2",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "grad: T",
     input = "ksize: int32",
     input = "strides: int32",
     output = "output: T",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "T: realnumbertype = DT_FLOAT",
     enums(padding = Padding, data_format = DataFormat),
     shape = shape_fns::max_pool_grad)]
pub struct MaxPoolGradV2;

/// The gradient of `MaxPoolWithArgmax`: `grad` at the positions `argmax`.
///
/// `input` is the pooling's [batch, rows, columns, channels], `grad` and `argmax` have the shape of its output. Each
/// gradient is added to the position that `argmax` names, counted over the whole batch with `include_batch_in_index`.
/// It is an error where a position lies outside. Gradients of 16-bit floats are summed in f32.
#[op("MaxPoolGradWithArgmax",
     input = "input: T",
     input = "grad: T",
     input = "argmax: Targmax",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "include_batch_in_index: bool = false",
     attr = "Targmax: {int32, int64}",
     attr = "T: realnumbertype",
     enums(padding = Padding),
     shape = shape_fns::max_pool_grad)]
pub struct MaxPoolGradWithArgmax;

/// The largest value in each window of an image.
///
/// As `MaxPool`, with `ksize` and `strides` as inputs: vectors of a number for each axis of `input`.
#[op("MaxPoolV2",
     input = "input: T",
     input = "ksize: int32",
     input = "strides: int32",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16, qint8} = DT_FLOAT",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     enums(padding = Padding, data_format = PackedFormat),
     shape = shape_fns::max_pool_v2)]
pub struct MaxPoolV2;

/// The largest value in each window of `input`, and its position.
///
/// `input` is [batch, rows, columns, channels], not empty. `argmax` is the position of the first of a window's largest
/// values, `(row * columns + column) * channels + channel`, counted over the whole batch with `include_batch_in_index`.
/// NaN is the largest where it comes first in a window, and is passed over otherwise.
#[op("MaxPoolWithArgmax",
     input = "input: T",
     output = "output: T",
     output = "argmax: Targmax",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "Targmax: {int32, int64} = DT_INT64",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "include_batch_in_index: bool = false",
     attr = "T: realnumbertype",
     enums(padding = Padding),
     shape = shape_fns::max_pool)]
pub struct MaxPoolWithArgmax;
