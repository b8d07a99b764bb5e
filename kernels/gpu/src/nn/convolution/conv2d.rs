//! `Conv2D`: a convolution over images. Sums are in f32.

use oplink::device::DeviceContext;
use oplink::prelude::*;
use oplink_ops::nn::window::{Axis, ChannelOrder, Window, WindowAttrs};
use oplink_ops::{Conv2D, Conv2DInputs, Conv2DOutputs};

use super::super::extents::extent;
use super::layout::Convolution;
use super::library::{self, TurnedFilter};
use super::pointwise;
use super::tiles::{FilterStrides, Meeting, Tiles};

/// `Conv2D` over images in either order of their axes.
///
/// # Errors
/// Extents that do not fit together; the device refuses.
#[derive(Debug)]
pub struct Conv2dGpu {
    window: Window,
    order: ChannelOrder,
    by_library: bool,
    turned: TurnedFilter,
}

#[kernel(Conv2D, device = GPU, T = [f16, bf16, f32])]
impl Kernel for Conv2dGpu {
    type Op = Conv2D;

    fn new(construction: Construction<'_, Conv2D>) -> Result<Self> {
        let (op, attrs) = (&construction.node().op.name, construction.attrs);
        let window_attrs: WindowAttrs<'_> = attrs.into();
        let order = ChannelOrder::of(op, window_attrs.data_format)?;
        let window = Window::new(op, &window_attrs, order)?;
        let turned = TurnedFilter::of(construction.constant(1));
        Ok(Self { window, order, by_library: attrs.use_cudnn_on_gpu, turned })
    }

    fn compute(&self, inputs: Conv2DInputs<'_>, outputs: &mut Conv2DOutputs<'_>, env: Env<'_>) -> Result<()> {
        let Conv2DInputs { input, filter } = inputs;
        let convolution = Convolution::of_window(&self.window, self.order, input.shape(), filter.shape())?;
        let output = outputs.output.allocate(convolution.output_shape())?;
        if output.num_elements() == 0 {
            return Ok(());
        }
        let turned = self.by_library.then_some(&self.turned);
        enqueue(&convolution, env.device()?, [&input, &filter, output], turned)
    }
}

/// Enqueues a convolution of image and filter to an output that has elements: by a library, where it may have a turned
/// filter.
pub(super) fn enqueue(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    tensors: [&Tensor; 3],
    turned: Option<&TurnedFilter>,
) -> Result<()> {
    let by_library = || library::convolve(convolution, device, tensors, turned?);
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
