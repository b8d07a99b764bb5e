//! `QuantizedConv2D`: convolutions of images of bytes, each less the one that stands for 0, summed in 32 bits.
//!
//! Where 0 is not below the bytes, the image gets a border of it, and patches are multiplied as bytes; else the steps
//! from 0 are convolved as 32-bit integers. Windows that are smaller than their stride begin inside the image, by half
//! of what they leave out: not where those of `Conv2D` do.

use super::zero::{product_range, range, zero};
use crate::convolution::quantized::{ByteConvolution, convolve_bytes};
use oplink::element::QInt32;
use oplink::prelude::*;
use oplink_ops::attrs::Padding;
use oplink_ops::nn::window::{Axis, Geometry, Window, WindowAttrs};
use oplink_ops::nn::{QuantizedConv2D, QuantizedConv2DInputs, QuantizedConv2DOutputs};

/// `QuantizedConv2D` of unsigned bytes.
pub struct QuantizedConv2dCpu {
    window: Window,
    is_valid: bool,
}

#[kernel(QuantizedConv2D, device = CPU, Tinput = [QUInt8], Tfilter = [QUInt8], out_type = [QInt32])]
impl Kernel for QuantizedConv2dCpu {
    type Op = QuantizedConv2D;

    fn new(construction: Construction<'_, QuantizedConv2D>) -> Result<Self> {
        let (op, attrs) = (&construction.node().op.name, construction.attrs);
        ensure!(
            attrs.dilations.iter().all(|&dilation| dilation == 1),
            "dilations must be 1, they are {:?}",
            attrs.dilations
        );
        ensure!(
            attrs.strides.get(1) == attrs.strides.get(2),
            "strides of rows and columns must be equal, they are {:?}",
            attrs.strides
        );
        let is_valid = attrs.padding == Padding::Valid;
        Ok(Self { window: Window::channels_last(op, &WindowAttrs::from(attrs))?, is_valid })
    }

    fn compute(
        &self,
        inputs: QuantizedConv2DInputs<'_>,
        outputs: &mut QuantizedConv2DOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let (input, filter) = (&*inputs.input, &*inputs.filter);
        ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        ensure!(geometry.groups == 1, "the depth of the filter must be that of the input, {}", geometry.depth);
        let (of_input, of_filter) =
            (range(&inputs.min_input, &inputs.max_input)?, range(&inputs.min_filter, &inputs.max_filter)?);
        let zeros = [zero(of_input), zero(of_filter)];
        let output = outputs.output.allocate(geometry.output_shape(4))?;
        let (image, weights, out) = (super::bytes(input)?, super::bytes(filter)?, output.as_mut_slice::<QInt32>()?);
        let before = [1, 2].map(|axis| before(&geometry.axes[axis], self.is_valid));
        let convolution = ByteConvolution { geometry: &geometry, image: &image, filter: &weights, zeros, before };
        convolve_bytes(&env, &convolution, out)?;
        let (low, high) = product_range(of_input, of_filter);
        outputs.min_output.set(Tensor::scalar(low));
        outputs.max_output.set(Tensor::scalar(high));
        Ok(())
    }
}

/// What windows see before the first row or column: half of what they see beside the image, or, negative, of what they
/// leave out of it.
pub(crate) fn before(axis: &Axis, is_valid: bool) -> isize {
    let seen = axis.output.saturating_sub(1) * axis.stride + axis.window + usize::from(is_valid);
    (seen as isize - axis.input as isize) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink::element::QUInt8;
    use oplink_cpu_support::testing::{Threads, run_in};

    /// The definition, with the steps from 0; around the image is the low byte of a zero that is not negative.
    fn expected(x: &[u8], w: &[u8], zeros: [i32; 2], extents: [usize; 6], before: isize) -> Vec<QInt32> {
        let [extent, depth, window, columns, stride, output] = extents;
        let element = |i: usize| {
            let (pixel, column) = (i / columns, i % columns);
            let mut sum = 0i32;
            for tap in 0..window * window * depth {
                let (row, at, channel) = (tap / depth / window, tap / depth % window, tap % depth);
                let y = (pixel / output * stride + row).wrapping_add_signed(-before);
                let x_at = (pixel % output * stride + at).wrapping_add_signed(-before);
                let value = match y < extent && x_at < extent {
                    true => i32::from(x[(y * extent + x_at) * depth + channel]) - zeros[0],
                    false => i32::from(zeros[0] as u8) - zeros[0],
                };
                if zeros[0] >= 0 || y < extent && x_at < extent {
                    sum += value * (i32::from(w[tap * columns + column]) - zeros[1]);
                }
            }
            QInt32(sum)
        };
        (0..output * output * columns).map(element).collect()
    }

    #[test]
    fn convolutions_agree_with_the_definition() {
        for (extents, padding) in [
            ([9, 3, 3, 5, 1, 9], "SAME"),
            ([8, 5, 1, 33, 2, 4], "VALID"),
            ([11, 4, 5, 2, 2, 6], "SAME"),
            ([6, 2, 1, 3, 3, 2], "SAME"),
            ([10, 2, 1, 3, 4, 3], "VALID"),
        ] {
            let [extent, depth, window, columns, stride, output] = extents;
            let bytes =
                |count: usize, seed: usize| (0..count).map(|i| ((i * 7919 + seed) % 256) as u8).collect::<Vec<_>>();
            let (x, w) = (bytes(extent * extent * depth, 3), bytes(window * window * depth * columns, 8));
            let tensor = |shape: [usize; 4], values: &[u8]| {
                Tensor::from_vec(shape, values.iter().map(|&value| QUInt8(value)).collect()).unwrap()
            };
            let seen = (output - 1) * stride + window + usize::from(padding == "VALID");
            let before = (seen as isize - extent as isize) / 2;
            for (min, zeros) in [(-1f32, [100, 0]), (0.5, [-50, 0]), (-4.0, [400, 0])] {
                let ends = [min, min + 2.55, 0.0, 255.0].map(Tensor::scalar);
                let tensors =
                    vec![tensor([1, extent, extent, depth], &x), tensor([window, window, depth, columns], &w)];
                let stride = stride as i64;
                let attrs = [("strides", vec![1, stride, stride, 1].into()), ("padding", padding.into())];
                for threads in [1, 3] {
                    let inputs = [tensors.clone(), ends.to_vec()].concat();
                    let out = run_in(&Threads(threads), "QuantizedConv2D", &attrs, inputs).unwrap();
                    let expected = expected(&x, &w, zeros, extents, before);
                    assert_eq!(out[0].as_slice::<QInt32>().unwrap(), expected, "{extents:?} less {zeros:?}");
                }
            }
        }
    }
}
