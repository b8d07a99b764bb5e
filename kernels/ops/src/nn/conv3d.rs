//! Convolutions of volumes and their gradients.

use oplink::prelude::*;

use crate::attrs::{Padding, VolumeFormat};

/// A convolution over volumes.
///
/// `input` is [batch, planes, rows, columns, depth], `filter` is [planes, rows, columns, depth, out_depth]; as
/// `Conv2D`, with windows along planes too. The 16-bit floats are summed in f32. An empty filter is an error.
#[op("Conv3D",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::conv3d)]
pub struct Conv3D;

/// The gradient of a convolution over volumes with respect to the filter.
///
/// `input` is the convolution's [batch, planes, rows, columns, depth], `filter_sizes` holds the filter's shape [planes,
/// rows, columns, depth, out_depth], `out_backprop` is the gradient of the convolution's output. The 16-bit floats are
/// summed in f32. Zeros where the input is empty.
#[op("Conv3DBackpropFilterV2",
     input = "input: T",
     input = "filter_sizes: int32",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::conv3d_backprop_filter)]
pub struct Conv3DBackpropFilterV2;

/// The gradient of a convolution over volumes with respect to the input.
///
/// `input_sizes` holds the input's shape [batch, planes, rows, columns, depth], `filter` is the convolution's [planes,
/// rows, columns, depth, out_depth], `out_backprop` the gradient of its output. The 16-bit floats are summed in f32.
/// Zeros where the filter is empty.
#[op("Conv3DBackpropInputV2",
     input = "input_sizes: Tshape",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NDHWC', 'NCDHW'} = 'NDHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     attr = "Tshape: {int32, int64} = DT_INT32",
     enums(padding = Padding, data_format = VolumeFormat),
     shape = shape_fns::conv3d_backprop_input)]
pub struct Conv3DBackpropInputV2;

/// As `Conv3DBackpropFilterV2`, for a filter of the shape of `filter`, whose elements do not count.
#[op("Conv3DBackpropFilter",
     input = "input: T",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     deprecated(since = 10, note = "Use Conv3DBackpropFilterV2"),
     enums(padding = Padding),
     shape = of_filter)]
pub struct Conv3DBackpropFilter;

/// As `Conv3DBackpropInputV2`, for an input of the shape of `input`, whose elements do not count.
#[op("Conv3DBackpropInput",
     input = "input: T",
     input = "filter: T",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: {half, float, double}",
     attr = "strides: list(int) >= 5",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1, 1]",
     deprecated(since = 10, note = "Use Conv3DBackpropInputV2"),
     enums(padding = Padding),
     shape = shape_fns::unchanged_with_rank::<5>)]
pub struct Conv3DBackpropInput;

fn of_filter(c: &mut ShapeContext<'_>) -> Result<()> {
    let filter = c.with_rank(1, 5)?;
    c.set_output(0, filter);
    Ok(())
}
