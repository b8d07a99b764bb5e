//! `Conv2DBackpropInput`: the gradient of a convolution over images with respect to the input. Sums are in f32.

use oplink::prelude::*;
use oplink_ops::Conv2DBackpropInput;
use oplink_ops::nn::window::{Axis, ChannelOrder, shape_of};

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
pub fn conv2d_backprop_input_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (filter, gradient) = (context.input(1), context.input(2));
    let input = input_shape(context)?;
    let convolution = Convolution::new(context, &input, filter.shape())?;
    convolution.check_gradient(gradient)?;
    let output = context.allocate_output(0, input)?;
    if output.num_elements() > 0 {
        let (device, tensors) = (context.device()?, [gradient, filter, &output]);
        let by_library = pointwise::backprop_input(&convolution, device, tensors);
        match by_library.or_else(|| library::backprop_input(&convolution, context, tensors)) {
            Some(result) => result?,
            None => tiles(&convolution)?.launch(device, tensors)?,
        }
    }
    context.set_output(0, output);
    Ok(())
}

/// The shape that input 0 holds; where it holds rows and columns only, the batch is that of the gradient and the depth that of
/// the filter.
fn input_shape(context: &KernelContext<'_>) -> Result<Shape> {
    let (filter, gradient) = (context.input(1).shape(), context.input(2).shape());
    let input = shape_of(context.input(0), "input_sizes")?;
    let whole = match (&*input, &**filter, &**gradient) {
        (&[rows, columns], &[_, _, depth, _], &[batch, ..]) => {
            let order = ChannelOrder::of(context.node())?;
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
