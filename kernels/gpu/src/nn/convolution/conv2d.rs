//! `Conv2D`: a convolution over images. Sums are in f32.

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink_ops::nn::window::Axis;
use oplink_ops::{Conv2D, Conv2DAttrs};

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
pub fn conv2d_gpu(
    input: &Tensor,
    filter: &Tensor,
    attrs: Conv2DAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let convolution = Convolution::new(&env.node().op.name, &attrs.into(), input.shape(), filter.shape())?;
    let output = output.allocate(convolution.output_shape())?;
    if output.num_elements() == 0 {
        return Ok(());
    }
    enqueue(&convolution, env.device()?, [input, filter, output], attrs.use_cudnn_on_gpu)
}

/// Enqueues a convolution of image and filter to an output that has elements.
pub(super) fn enqueue(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    tensors: [&Tensor; 3],
    with_library: bool,
) -> Result<()> {
    let by_library = || with_library.then(|| library::convolve(convolution, device, tensors)).flatten();
    match pointwise::convolve(convolution, device, tensors).or_else(by_library) {
        Some(result) => result,
        None => tiles(convolution)?.launch(device, tensors),
    }
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
