//! `Conv2D`: a convolution over images. Sums are in f32.

use oplink::prelude::*;
use oplink_ops::Conv2D;
use oplink_ops::nn::window::Axis;

use super::super::extents::extent;
use super::layout::Convolution;
use super::library;
use super::pointwise;
use super::tiles::{FilterStrides, Meeting, Tiles};

/// `Conv2D` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[kernel(Conv2D, device = GPU, T = [f16, bf16, f32])]
pub fn conv2d_gpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, filter) = (context.input(0), context.input(1));
    let convolution = Convolution::new(context, input.shape(), filter.shape())?;
    let output = context.allocate_output(0, convolution.output_shape())?;
    if output.num_elements() > 0 {
        let (device, tensors) = (context.device()?, [input, filter, &output]);
        let by_library = pointwise::convolve(&convolution, device, tensors);
        match by_library.or_else(|| library::convolve(&convolution, context, tensors)) {
            Some(result) => result?,
            None => tiles(&convolution)?.launch(device, tensors)?,
        }
    }
    context.set_output(0, output);
    Ok(())
}

/// The products of patches and filter.
fn tiles(convolution: &Convolution) -> Result<Tiles> {
    let geometry = &convolution.geometry;
    let [_, rows, columns] = geometry.axes;
    Ok(Tiles {
        batch: geometry.batch,
        rows: meeting(&rows)?,
        columns: meeting(&columns)?,
        depth: geometry.group_depth(),
        out: geometry.group_out(),
        groups: geometry.groups,
        image: convolution.input_strides()?,
        filter: FilterStrides {
            tap: extent(geometry.group_depth() * geometry.out_depth)?,
            depth: extent(geometry.out_depth)?,
            out: 1,
            group: extent(geometry.group_out())?,
        },
        output: convolution.output_strides()?,
    })
}

fn meeting(axis: &Axis) -> Result<Meeting> {
    Ok(Meeting {
        input: extent(axis.input)?,
        output: extent(axis.output)?,
        taps: extent(axis.window)?,
        step: extent(axis.stride)?,
        reach: extent(axis.dilation)?,
        shift: extent(axis.before)?.wrapping_neg(),
        spread: 1,
    })
}
