//! Depthwise convolutions and their gradients.

use oplink::prelude::*;

use crate::attrs::{DataFormat, WindowPadding};

/// Convolves each channel of images with filters of its own.
///
/// `output[b, y, x, c * m + q] = sum over i, j of input[b, y * stride + i * dilation - pad, x * …, c] * filter[i, j,
/// c, q]`. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth, m], the output has depth * m
/// channels. The 16-bit floats are summed in f32.
#[op("DepthwiseConv2dNative", is(zero_pads(input)),
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::depthwise_conv2d)]
pub struct DepthwiseConv2dNative;

/// The gradient of a depthwise convolution with respect to the filter.
///
/// `input` is the convolution's [batch, rows, columns, depth], `filter_sizes` holds the filter's shape [rows, columns,
/// depth, multiplier], `out_backprop` is the gradient of the convolution's output. The attrs are the convolution's. The
/// 16-bit floats are summed in f32.
#[op("DepthwiseConv2dNativeBackpropFilter",
     input = "input: T",
     input = "filter_sizes: int32",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::conv2d_backprop_filter)]
pub struct DepthwiseConv2dNativeBackpropFilter;

/// The gradient of a depthwise convolution with respect to the input.
///
/// `input_sizes` holds the input's shape [batch, rows, columns, depth], `filter` is the convolution's [rows, columns,
/// depth, multiplier], `out_backprop` the gradient of its output. The attrs are the convolution's. The 16-bit floats
/// are summed in f32.
#[op("DepthwiseConv2dNativeBackpropInput",
     input = "input_sizes: int32",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::avg_pool_grad)]
pub struct DepthwiseConv2dNativeBackpropInput;

/// Convolves each channel of images with filters of its own, adds a bias and applies an activation.
///
/// `fused_ops` is `BiasAdd` (`args` are a vector as long as the output's channels), then perhaps an activation: `Relu`,
/// `Relu6`, `LeakyRelu`, `Elu`, `Tanh`, `Sigmoid`, `Swish`, `HardSwish`, `GeluApproximate` or `GeluExact`. Explicit
/// paddings are oplink's own.
#[op("_FusedDepthwiseConv2dNative", is(fuses(DepthwiseConv2dNative)),
     input = "input: T",
     input = "filter: T",
     input = "args: num_args * T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "num_args: int >= 0",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "fused_ops: list(string) = []",
     attr = "epsilon: float = 0.0001",
     attr = "leakyrelu_alpha: float = 0.2",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = shape_fns::depthwise_conv2d)]
pub struct _FusedDepthwiseConv2dNative;

/// Convolves each channel of images with filters of its own, and the result with a window of one pixel. An op of
/// oplink's own, made by the optimiser: what lies between is in cache.
///
/// `input` is [batch, rows, columns, depth], `depthwise_filter` is [rows, columns, depth, m], `depthwise_bias`
/// [depth * m], `pointwise_filter` [1, 1, depth * m, channels]; the window's attrs are those of the first convolution.
/// What follows it is `depthwise_ops`, `BiasAdd` and perhaps an activation; what follows the second `fused_ops`, with
/// `args` as in `_FusedConv2D`.
#[op("_FusedSeparableConv2D",
     input = "input: T",
     input = "depthwise_filter: T",
     input = "depthwise_bias: T",
     input = "pointwise_filter: T",
     input = "args: num_args * T",
     output = "output: T",
     attr = "T: {float}",
     attr = "num_args: int >= 0",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "depthwise_ops: list(string) = []",
     attr = "depthwise_leakyrelu_alpha: float = 0.2",
     attr = "fused_ops: list(string) = []",
     attr = "epsilon: float = 0.0001",
     attr = "leakyrelu_alpha: float = 0.2",
     enums(padding = WindowPadding, data_format = DataFormat),
     shape = separable_conv2d_shape)]
pub struct _FusedSeparableConv2D;

fn separable_conv2d_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::depthwise_conv2d(c)?;
    let (between, bias, filter) = (c.output_shapes()[0].clone(), c.with_rank(2, 1)?, c.with_rank(3, 4)?);
    let axis = if c.attr::<&str>("data_format")? == "NCHW" { 1 } else { 3 };
    let channels = c.merge_dim(between.dim(axis), filter.dim(2))?;
    c.merge_dim(bias.dim(0), channels)?;
    c.merge(&filter, &PartialShape::new(&[Some(1), Some(1), None, None]))?;
    let of = |at: usize| if at == axis { filter.dim(3) } else { between.dim(at) };
    c.set_output(0, PartialShape::new(&[0, 1, 2, 3].map(of)));
    Ok(())
}
