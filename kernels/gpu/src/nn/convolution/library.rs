//! Convolutions by a library of the device, where it has one.
//!
//! Libraries have the output channels of a filter first, so filters are turned: a constant once, others into memory
//! that lives as long as the call. And they put as many zeros behind an image as before it: where a window reaches
//! further on one side, as it does with the padding `SAME` and an even extent, the rest of the zeros are put around a
//! copy of the image, and the gradient of an image is cut out of that of the copy. So does TensorFlow.
//!
//! Depthwise convolutions are not given to a library. Each of their sums has few products, so they take as long as
//! reading and writing the images does, and `depthwise` does that once, without turning a filter. TensorFlow has
//! kernels of its own for them, too, and takes cuDNN's for some filters over 16-bit floats only.

use std::sync::OnceLock;

use oplink::device::{ConvolutionAxis, ConvolutionResult, ConvolutionSpec, DeviceContext};
use oplink::prelude::*;
use oplink_ops::movement::{Axis as Move, AxisList, row_major_strides};
use oplink_ops::nn::window::{Axis, ChannelOrder};

use super::layout::Convolution;
use crate::movement::{clear, gather, scatter};

/// A filter that a library wants turned, where it is the same at every run.
#[derive(Debug, Default)]
pub(super) struct TurnedFilter {
    is_constant: bool,
    turned: OnceLock<Tensor>,
}

impl TurnedFilter {
    /// Of the filter that a kernel was constructed with, if it is a constant.
    pub(super) fn of(constant: Option<&Tensor>) -> Self {
        Self { is_constant: constant.is_some(), turned: OnceLock::new() }
    }

    /// The turned filter, which `turn` makes.
    fn get_or_turn(&self, turn: impl FnOnce() -> Result<Tensor>) -> Result<Tensor> {
        if let Some(turned) = self.turned.get() {
            return Ok(turned.clone());
        }
        let turned = turn()?;
        Ok(if self.is_constant { self.turned.get_or_init(|| turned).clone() } else { turned })
    }
}

/// The convolution of `image` with `filter`. `None` where no library takes it.
pub(super) fn convolve(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [image, filter, output]: [&Tensor; 3],
    constant: &TurnedFilter,
) -> Option<Result<()>> {
    Call::find(convolution, device, ConvolutionResult::Output, output.dtype())?
        .output([image, filter, output], constant)
        .transpose()
}

/// The gradient of the input, as [`convolve`].
pub(super) fn backprop_input(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [gradient, filter, output]: [&Tensor; 3],
) -> Option<Result<()>> {
    Call::find(convolution, device, ConvolutionResult::Image, output.dtype())?
        .image([gradient, filter, output])
        .transpose()
}

/// The gradient of the filter, as [`convolve`].
pub(super) fn backprop_filter(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [image, gradient, output]: [&Tensor; 3],
) -> Option<Result<()>> {
    Call::find(convolution, device, ConvolutionResult::Filter, output.dtype())?
        .filter([image, gradient, output])
        .transpose()
}

/// A convolution that a library has.
struct Call<'a> {
    device: &'a dyn DeviceContext,
    spec: ConvolutionSpec,
    /// Zeros around the copy of the image, before and behind: of rows, and of columns.
    around: [[usize; 2]; 2],
}

impl<'a> Call<'a> {
    fn find(
        convolution: &Convolution,
        device: &'a dyn DeviceContext,
        result: ConvolutionResult,
        dtype: DType,
    ) -> Option<Self> {
        let geometry = &convolution.geometry;
        let [(rows, around_rows), (columns, around_columns)] = [1, 2].map(|axis| alike(&geometry.axes[axis]));
        let spec = ConvolutionSpec {
            result,
            dtype,
            channels_last: convolution.order == ChannelOrder::Last,
            batch: geometry.batch,
            depth: geometry.depth,
            out_depth: geometry.out_depth,
            groups: geometry.groups,
            rows,
            columns,
        };
        device.has_convolution(&spec).then_some(Self { device, spec, around: [around_rows, around_columns] })
    }

    fn output(&self, [image, filter, output]: [&Tensor; 3], constant: &TurnedFilter) -> Result<Option<()>> {
        let filter = constant.get_or_turn(|| self.turned(filter))?;
        self.run(&self.padded(image)?, &filter, output)
    }

    fn image(&self, [gradient, filter, output]: [&Tensor; 3]) -> Result<Option<()>> {
        let filter = self.turned(filter)?;
        if self.around == [[0; 2]; 2] {
            return self.run(output, &filter, gradient);
        }
        let image = self.allocate(self.spec.image_shape())?;
        let Some(()) = self.run(&image, &filter, gradient)? else { return Ok(None) };
        let (base, axes) = self.within();
        gather(self.device, base, &axes, &image, output).map(Some)
    }

    fn filter(&self, [image, gradient, output]: [&Tensor; 3]) -> Result<Option<()>> {
        let filter = self.allocate(self.spec.filter_shape())?;
        let Some(()) = self.run(&self.padded(image)?, &filter, gradient)? else { return Ok(None) };
        let order = self.order();
        let back = [0, 1, 2, 3].map(|axis| order.iter().position(|&of| of == axis).unwrap_or(axis));
        transpose(self.device, &filter, back, output).map(Some)
    }

    fn run(&self, image: &Tensor, filter: &Tensor, output: &Tensor) -> Result<Option<()>> {
        self.device.convolve(&self.spec, image, filter, output).transpose()
    }

    fn allocate(&self, shape: [usize; 4]) -> Result<Tensor> {
        self.device.allocate(self.spec.dtype, Shape::new(&shape))
    }

    /// The image, with zeros around it where there are any.
    fn padded(&self, image: &Tensor) -> Result<Tensor> {
        if self.around == [[0; 2]; 2] {
            return Ok(image.clone());
        }
        let padded = self.allocate(self.spec.image_shape())?;
        clear(self.device, &padded)?;
        let (base, axes) = self.within();
        scatter(self.device, base, &axes, image, &padded)?;
        Ok(padded)
    }

    /// Where the image lies in its copy.
    fn within(&self) -> (isize, AxisList<'static>) {
        let shape = self.spec.image_shape();
        let strides = row_major_strides(&shape);
        let first = if self.spec.channels_last { 1 } else { 2 };
        let (mut base, mut counts) = (0, shape);
        for (axis, [before, behind]) in self.around.into_iter().enumerate() {
            base += before as isize * strides[first + axis];
            counts[first + axis] -= before + behind;
        }
        (base, counts.iter().zip(strides).map(|(&count, stride)| Move::Strided { count, stride }).collect())
    }

    /// The filter [rows, columns, depth, out_depth] as a library has it.
    fn turned(&self, filter: &Tensor) -> Result<Tensor> {
        let turned = self.allocate(self.spec.filter_shape())?;
        transpose(self.device, filter, self.order(), &turned)?;
        Ok(turned)
    }

    /// The axes of the op's filter, in a library's order.
    fn order(&self) -> [usize; 4] {
        if self.spec.channels_last { [3, 0, 1, 2] } else { [3, 2, 0, 1] }
    }
}

/// An axis with as many zeros behind the image as before it, and the zeros, before and behind, that it then lacks.
fn alike(axis: &Axis) -> (ConvolutionAxis, [usize; 2]) {
    let Axis { input, output, window, stride, dilation, before } = *axis;
    let alike = ConvolutionAxis { input, output, window, stride, dilation, padding: before };
    // Zeros that no window reaches do not matter.
    if alike.output_extent() == Some(output) {
        return (alike, [0; 2]);
    }
    let reach = output.saturating_sub(1) * stride + (window - 1) * dilation + 1;
    let behind = reach.saturating_sub(input + before);
    let padding = before.min(behind);
    let around = [before - padding, behind - padding];
    (ConvolutionAxis { input: input + around[0] + around[1], padding, ..alike }, around)
}

/// Fills `out` with the elements of `tensor`, whose axes it has in another order.
fn transpose(device: &dyn DeviceContext, tensor: &Tensor, order: [usize; 4], out: &Tensor) -> Result<()> {
    let (shape, strides) = (tensor.shape(), row_major_strides(tensor.shape()));
    let axes = order.map(|axis| Move::Strided { count: shape[axis], stride: strides[axis] });
    gather(device, 0, &axes, tensor, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: usize, [before, behind]: [usize; 2], window: usize, stride: usize, dilation: usize) -> [usize; 2] {
        let reach = (window - 1) * dilation + 1;
        let output = (input + before + behind - reach) / stride + 1;
        let (axis, around) = alike(&Axis { input, output, window, stride, dilation, before });
        assert_eq!(axis.output_extent(), Some(output), "{axis:?}");
        assert_eq!((axis.padding + around[0], axis.input), (before, input + around[0] + around[1]), "{axis:?}");
        around
    }

    #[test]
    fn both_sides_have_as_many_zeros_and_a_copy_the_rest() {
        assert_eq!(check(9, [1, 1], 3, 1, 1), [0, 0]);
        // Padding SAME of an even extent and a stride of 2.
        assert_eq!(check(8, [0, 1], 3, 2, 1), [0, 1]);
        assert_eq!(check(8, [2, 3], 4, 2, 2), [0, 1]);
        // More zeros behind would be reached by no window.
        assert_eq!(check(8, [1, 0], 3, 2, 1), [0, 0]);
        assert_eq!(check(8, [3, 0], 3, 1, 1), [3, 0]);
        assert_eq!(check(10, [0, 0], 3, 4, 1), [0, 0]);
    }

    #[test]
    fn every_padding_has_its_outputs() {
        for (input, window, stride, dilation) in [(5, 3, 1, 1), (6, 3, 2, 1), (7, 2, 3, 2), (4, 1, 2, 1), (9, 4, 5, 2)]
        {
            for (before, behind) in (0..4).flat_map(|before| (0..4).map(move |behind| (before, behind))) {
                check(input, [before, behind], window, stride, dilation);
            }
        }
    }
}
