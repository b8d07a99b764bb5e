//! `Conv2DBackpropInput`: the gradient of a convolution over images with respect to the input. Sums are in f32.

use oplink::prelude::*;
use oplink_ops::nn::window::{Axis, ChannelOrder, WindowAttrs, shape_of};
use oplink_ops::{Conv2DBackpropInput, Conv2DBackpropInputAttrs};

use super::super::extents::extent;
use super::layout::Convolution;
use super::library;
use super::pointwise;
use super::tiles::{FilterStrides, Meeting, Tiles};

/// `Conv2DBackpropInput` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(Conv2DBackpropInput, device = GPU, T = [f16, bf16, f32], host_memory = [input_sizes])]
pub fn conv2d_backprop_input_gpu(
    input_sizes: &Tensor,
    filter: &Tensor,
    out_backprop: &Tensor,
    attrs: Conv2DBackpropInputAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (op, window) = (&env.node().op.name, WindowAttrs::from(attrs));
    let order = ChannelOrder::of(op, window.data_format)?;
    let input = input_shape(order, input_sizes, [filter.shape(), out_backprop.shape()])?;
    let convolution = Convolution::new(op, &window, &input, filter.shape())?;
    convolution.check_gradient(out_backprop)?;
    let output = output.allocate(input)?;
    if output.num_elements() == 0 {
        return Ok(());
    }
    let (device, tensors) = (env.device()?, [out_backprop, filter, &*output]);
    let by_library =
        || attrs.use_cudnn_on_gpu.then(|| library::backprop_input(&convolution, device, tensors)).flatten();
    match pointwise::backprop_input(&convolution, device, tensors).or_else(by_library) {
        Some(result) => result,
        None => tiles(&convolution)?.launch(device, tensors),
    }
}

/// The shape that `sizes` holds; where it holds rows and columns only, the batch is that of the gradient and the depth
/// that of the filter.
fn input_shape(order: ChannelOrder, sizes: &Tensor, [filter, gradient]: [&Shape; 2]) -> Result<Shape> {
    let input = shape_of(sizes, "input_sizes")?;
    let whole = match (&*input, &**filter, &**gradient) {
        (&[rows, columns], &[_, _, depth, _], &[batch, ..]) => {
            Shape::new(&order.from_last(&[batch, rows, columns, depth]))
        }
        _ => input,
    };
    ensure!(
        whole.rank() == filter.rank(),
        "input_sizes {whole} must have as many elements as the filter {filter} has dimensions"
    );
    Ok(whole)
}

/// The products of patches of the gradient and the filter turned around.
fn tiles(convolution: &Convolution) -> Result<Tiles> {
    let geometry = &convolution.geometry;
    let [_, rows, columns] = geometry.axes;
    Ok(Tiles {
        batch: geometry.batch,
        rows: meeting(&rows)?,
        columns: meeting(&columns)?,
        depth: geometry.group_out(),
        out: geometry.group_depth(),
        groups: geometry.groups,
        image: convolution.output_strides()?,
        filter: FilterStrides {
            tap: extent(geometry.group_depth() * geometry.out_depth)?,
            depth: 1,
            out: extent(geometry.out_depth)?,
            group: extent(geometry.group_out())?,
        },
        output: convolution.input_strides()?,
    })
}

/// An input position meets the outputs, `stride` apart, that saw it by each tap.
fn meeting(axis: &Axis) -> Result<Meeting> {
    Ok(Meeting {
        input: extent(axis.output)?,
        output: extent(axis.input)?,
        taps: extent(axis.window)?,
        step: 1,
        reach: extent(axis.dilation)?.wrapping_neg(),
        shift: extent(axis.before)?,
        spread: extent(axis.stride)?,
    })
}
