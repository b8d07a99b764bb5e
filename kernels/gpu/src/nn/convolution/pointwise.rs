//! Convolutions with one tap of stride 1 are matrix products, which a library of the device may take.

use oplink::device::{DeviceContext, MatMulSpec, MatrixLayout};
use oplink::prelude::*;
use oplink_ops::nn::window::{ChannelOrder, Geometry};

use super::layout::Convolution;

/// The convolution of `image` with `filter` by a library. `None` where it is no product or no library takes it.
pub(super) fn convolve(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [image, filter, output]: [&Tensor; 3],
) -> Option<Result<()>> {
    let Geometry { depth, out_depth, .. } = convolution.geometry;
    product(convolution, device, [image, filter, output], [depth, out_depth], false)
}

/// The gradient of the input, as [`convolve`].
pub(super) fn backprop_input(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [gradient, filter, output]: [&Tensor; 3],
) -> Option<Result<()>> {
    let Geometry { depth, out_depth, .. } = convolution.geometry;
    product(convolution, device, [gradient, filter, output], [out_depth, depth], true)
}

/// The gradient of the filter, as [`convolve`]; only where channels are last.
pub(super) fn backprop_filter(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [image, gradient, output]: [&Tensor; 3],
) -> Option<Result<()>> {
    let geometry = &convolution.geometry;
    if !geometry.is_pointwise() || convolution.order == ChannelOrder::First {
        return None;
    }
    let extents = [geometry.depth, geometry.out_depth, geometry.pixels()];
    let spec = MatMulSpec::dense(image.dtype(), 1, extents, [true, false]);
    device.matmul(&spec, image, gradient, output)
}

/// Pixels of `from` channels times the filter, which is stored [depth, out_depth], or its transpose.
fn product(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [pixels, filter, output]: [&Tensor; 3],
    [from, to]: [usize; 2],
    transposed: bool,
) -> Option<Result<()>> {
    let geometry = &convolution.geometry;
    if !geometry.is_pointwise() {
        return None;
    }
    let dtype = pixels.dtype();
    if convolution.order == ChannelOrder::Last {
        let spec = MatMulSpec::dense(dtype, 1, [geometry.pixels(), to, from], [false, transposed]);
        return device.matmul(&spec, pixels, filter, output);
    }
    let plane = convolution.output_plane();
    let filter_layout =
        MatrixLayout { transposed: !transposed, offset: 0, row_stride: geometry.out_depth, batch_stride: 0 };
    let spec =
        MatMulSpec { a: filter_layout, ..MatMulSpec::dense(dtype, geometry.batch, [to, plane, from], [false; 2]) };
    device.matmul(&spec, filter, pixels, output)
}
