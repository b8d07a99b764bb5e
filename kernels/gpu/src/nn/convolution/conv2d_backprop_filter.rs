//! `Conv2DBackpropFilter`: the gradient of a convolution over images with respect to the filter. Sums are in f32.

use oplink::prelude::*;
use oplink_ops::Conv2DBackpropFilter;
use oplink_ops::nn::window::shape_of;

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
pub fn conv2d_backprop_filter_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, gradient) = (context.input(0), context.input(2));
    let filter = shape_of(context.input(1), "filter_sizes")?;
    ensure!(
        filter.rank() == input.rank(),
        "filter_sizes {filter} must have as many elements as the input {} has dimensions",
        input.shape()
    );
    let output = context.allocate_output(0, filter.clone())?;
    if output.num_elements() > 0 {
        let convolution = Convolution::new(context, input.shape(), &filter)?;
        convolution.check_gradient(gradient)?;
        let device = context.device()?;
        let tensors = [input, gradient, &output];
        let by_library = pointwise::backprop_filter(&convolution, device, tensors);
        match by_library.or_else(|| library::backprop_filter(&convolution, context, tensors)) {
            Some(result) => result?,
            None => {
                let parts = filter_tiles::launch(&convolution, device, [input, gradient])?;
                add_up(device, &parts, 1.0, &output)?;
            }
        }
    }
    context.set_output(0, output);
    Ok(())
}
