//! Convolutions of images and their gradients.

use oplink::prelude::*;

use crate::attrs::{DataFormat, PackedFormat, WindowPadding};

/// Convolves images with a filter.
///
/// `output[b, y, x, k] = sum over i, j, c of input[b, y * stride + i * dilation - pad, x * …, c] * filter[i, j, c, k]`,
/// zeros outside the image. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth / groups,
/// out_depth]; group g joins the input channels and the output channels of its part. The 16-bit floats are summed in
/// f32, integers wrap.
///
/// Computed as a matrix product over tiles of output pixels: the patches that a tile sees are copied side by side into
/// a small buffer. A 1x1 filter of stride 1 multiplies the image itself.
#[op("Conv2D", is(zero_pads(input)),
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32}",
     attr = "strides: list(int)",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::conv2d)]
pub struct Conv2D;

/// The gradient of a convolution over images with respect to the filter.
///
/// `input` is the convolution's [batch, rows, columns, depth], `filter_sizes` holds the filter's shape [rows, columns,
/// depth / groups, out_depth], `out_backprop` is the gradient of the convolution's output. The attrs are the
/// convolution's. The 16-bit floats are summed in f32. Zeros where the input is empty.
#[op("Conv2DBackpropFilter",
     input = "input: T",
     input = "filter_sizes: int32",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::conv2d_backprop_filter)]
pub struct Conv2DBackpropFilter;

/// The gradient of a convolution over images with respect to the input.
///
/// `input_sizes` holds the input's shape [batch, rows, columns, depth], or its rows and columns alone; `filter` is the
/// convolution's [rows, columns, depth / groups, out_depth], `out_backprop` the gradient of its output. The attrs are
/// the convolution's. The 16-bit floats are summed in f32, integers wrap. Zeros where the filter is empty.
#[op("Conv2DBackpropInput",
     input = "input_sizes: int32",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32}",
     attr = "strides: list(int)",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::conv2d_backprop_input)]
pub struct Conv2DBackpropInput;

/// Convolves images with a filter, then adds a bias or normalises, and applies an activation.
///
/// `fused_ops` names what follows: `BiasAdd` (`args` are a vector), or `FusedBatchNorm` (`args` are its vectors scale,
/// offset, mean and variance); then perhaps `Add` (one more of `args`, of the output's shape) and an activation,
/// `Relu`, `Relu6`, `LeakyRelu`, `Elu`, `Tanh`, `Sigmoid`, `Swish`, `HardSwish`, `GeluApproximate` or `GeluExact`. All
/// of it is done to a tile of the output while it is in cache. `Add` and the activations from `Tanh` on are oplink's
/// own.
#[op("_FusedConv2D", is(fuses(Conv2D)),
     input = "input: T",
     input = "filter: T",
     input = "args: TArgs",
     input = "host_args: num_host_args * float",
     output = "output: T",
     attr = "T: {half, float, double, int8, qint8}",
     attr = "TArgs: list(type) >= 1",
     attr = "num_args: int >= 0",
     attr = "num_host_args: int >= 0 = 0",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     attr = "filter_format: {'HWIO', 'OIHW', 'OIHW_VECT_I'} = 'HWIO'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "fused_ops: list(string) = []",
     attr = "epsilon: float = 0.0001",
     attr = "leakyrelu_alpha: float = 0.2",
     enums(padding = WindowPadding, data_format = PackedFormat),
     shape = shape_fns::conv2d)]
pub struct _FusedConv2D;
