//! `Conv2DBackpropFilter`: the gradient of a convolution over images with respect to the filter. Sums are in f32.

use oplink::prelude::*;
use oplink_ops::nn::window::shape_of;
use oplink_ops::{Conv2DBackpropFilter, Conv2DBackpropFilterAttrs};

use super::super::parts::add_up;
use super::filter_tiles;
use super::layout::Convolution;
use super::library;
use super::pointwise;

/// `Conv2DBackpropFilter` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(Conv2DBackpropFilter, device = GPU, T = [f16, bf16, f32], host_memory = [filter_sizes])]
pub fn conv2d_backprop_filter_gpu(
    input: &Tensor,
    filter_sizes: &Tensor,
    out_backprop: &Tensor,
    attrs: Conv2DBackpropFilterAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let filter = shape_of(filter_sizes, "filter_sizes")?;
    ensure!(
        filter.rank() == input.rank(),
        "filter_sizes {filter} must have as many elements as the input {} has dimensions",
        input.shape()
    );
    let output = output.allocate(filter.clone())?;
    if output.num_elements() == 0 {
        return Ok(());
    }
    let convolution = Convolution::new(&env.node().op.name, &attrs.into(), input.shape(), &filter)?;
    convolution.check_gradient(out_backprop)?;
    let (device, tensors) = (env.device()?, [input, out_backprop, &*output]);
    let by_library =
        || attrs.use_cudnn_on_gpu.then(|| library::backprop_filter(&convolution, device, tensors)).flatten();
    match pointwise::backprop_filter(&convolution, device, tensors).or_else(by_library) {
        Some(result) => result,
        None => {
            let parts = filter_tiles::launch(&convolution, device, [input, out_backprop])?;
            add_up(device, &parts, 1.0, output)
        }
    }
}
