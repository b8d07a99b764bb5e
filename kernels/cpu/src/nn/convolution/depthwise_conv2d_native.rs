//! `DepthwiseConv2dNative`: each channel of an image convolved with filters of its own.
//!
//! `output[b, y, x, c * m + q] = sum over i, j of input[b, y * stride + i * dilation - pad, x * …, c] * filter[i, j,
//! c, q]`. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth, m], the output has depth * m
//! channels. The 16-bit floats are summed in f32.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::depthwise::{Depthwise, DepthwiseFinish, convolve};
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::numeric::taps::TapLane;
use crate::support::elementwise::{FloatLane, Lanes};
use crate::support::window::Window;

/// Convolves each channel of images with filters of its own.
#[op("DepthwiseConv2dNative",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     shape = shape_fns::depthwise_conv2d)]
pub struct DepthwiseConv2dNative;

/// `DepthwiseConv2dNative` over `NHWC` images.
pub struct DepthwiseConv2dCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(DepthwiseConv2dNative, device = CPU, T = [floats])]
impl<T: Lanes<Lane: FloatLane + TapLane>> Kernel for DepthwiseConv2dCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(construction.node())?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (input, filter) = (context.input(0), context.input(1));
        let geometry = Depthwise::new(&self.window, input.shape(), filter.shape())?;
        let mut output = context.allocate_output(0, geometry.output_shape())?;
        let (image, filter) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            convolve(context.env(), &geometry, (&image, &filter), DepthwiseFinish::default(), out);
        });
        context.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{Threads, run_in};

    fn values(shape: [usize; 4], seed: usize) -> Tensor {
        let count = shape.iter().product::<usize>();
        Tensor::from_vec(shape, (0..count).map(|i| ((i * 31 + seed) % 13) as f32 - 6.0).collect()).unwrap()
    }

    #[test]
    fn convolutions_agree_with_the_definition() {
        for (depth, multiplier, stride, dilation) in [(77, 1, 1, 1), (5, 3, 2, 1), (40, 1, 2, 1), (9, 1, 1, 2)] {
            let (x, w) = (values([2, 17, 13, depth], 1), values([3, 3, depth, multiplier], 4));
            let attrs = [
                ("strides", vec![1, stride, stride, 1].into()),
                ("dilations", vec![1, dilation, dilation, 1].into()),
                ("padding", "VALID".into()),
            ];
            let out =
                run_in(&Threads(3), "DepthwiseConv2dNative", &attrs, vec![x.clone(), w.clone()]).unwrap().remove(0);
            let (x, w) = (x.view::<f32, ndarray::Ix4>().unwrap(), w.view::<f32, ndarray::Ix4>().unwrap());
            let (stride, dilation) = (stride as usize, dilation as usize);
            for ((b, i, j, k), &value) in out.view::<f32, ndarray::Ix4>().unwrap().indexed_iter() {
                let taps = (0..9).map(|tap| (tap / 3, tap % 3));
                let (c, q) = (k / multiplier, k % multiplier);
                let products = taps
                    .map(|(r, s)| x[(b, i * stride + r * dilation, j * stride + s * dilation, c)] * w[(r, s, c, q)]);
                assert_eq!(value, products.sum::<f32>(), "depth {depth} x {multiplier} at {:?}", [b, i, j, k]);
            }
        }
    }
}
