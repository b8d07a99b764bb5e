//! `_FusedDepthwiseConv2dNative`: `DepthwiseConv2dNative`, a bias and an activation in one pass.
//!
//! `fused_ops` is `BiasAdd` (`args` are a vector as long as the output's channels), then perhaps an activation: `Relu`, `Relu6`,
//! `LeakyRelu`, `Elu`, `Tanh`, `Sigmoid`, `GeluApproximate` or `GeluExact`.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::depthwise::{Depthwise, DepthwiseFinish, convolve};
use crate::numeric::fused_ops::FusedOps;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::numeric::taps::TapLane;
use crate::support::elementwise::{FloatLane, Lanes};
use crate::support::window::Window;

/// Convolves each channel of images with filters of its own, adds a bias and applies an activation.
#[op("_FusedDepthwiseConv2dNative",
     input = "input: T",
     input = "filter: T",
     input = "args: num_args * T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "num_args: int >= 0",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "fused_ops: list(string) = []",
     attr = "epsilon: float = 0.0001",
     attr = "leakyrelu_alpha: float = 0.2",
     shape = shape_fns::depthwise_conv2d)]
pub struct _FusedDepthwiseConv2dNative;

/// `_FusedDepthwiseConv2dNative` over `NHWC` images.
pub struct FusedDepthwiseConv2dCpu<T: Lanes> {
    window: Window,
    steps: FusedOps<T::Lane>,
    element: PhantomData<fn() -> T>,
}

#[kernel(_FusedDepthwiseConv2dNative, device = CPU, T = [floats])]
impl<T: Lanes<Lane: TapLane + FloatLane>> Kernel for FusedDepthwiseConv2dCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let steps = FusedOps::new(construction.node())?;
        if !steps.is_bias_and_activation() {
            return Err(Error::unimplemented("_FusedDepthwiseConv2dNative takes BiasAdd and an activation alone"));
        }
        Ok(Self { window: Window::new(construction.node())?, steps, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (input, filter) = (context.input(0), context.input(1));
        let geometry = Depthwise::new(&self.window, input.shape(), filter.shape())?;
        let mut output = context.allocate_output(0, geometry.output_shape())?;
        let args = self.steps.args::<T>(context, output.shape())?;
        let activation = self.steps.activation();
        let activate = |values: &mut [T::Lane]| activation.apply(values);
        let finish = DepthwiseFinish {
            bias: Some(args.bias()),
            bounds: activation.bounds(),
            activation: if activation.is_function() { Some(&activate) } else { None },
        };
        let (image, filter) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            convolve(context.env(), &geometry, (&image, &filter), finish, out);
        });
        drop((args, image, filter));
        context.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn a_bias_and_an_activation_follow() {
        for (multiplier, expected) in [(1, vec![0.0, 5.0]), (2, vec![0.0, 0.0, 5.0, 6.0])] {
            let attrs = [
                ("fused_ops", (&["BiasAdd", "Relu6"][..]).into()),
                ("strides", vec![1, 1, 1, 1].into()),
                ("padding", "VALID".into()),
                ("num_args", 1.into()),
            ];
            let image = Tensor::from_vec([1, 1, 1, 2], vec![-3f32, 2.0]).unwrap();
            let filter = Tensor::from_vec([1, 1, 2, multiplier], (1..=2 * multiplier).map(|i| i as f32).collect());
            let bias = Tensor::full([2 * multiplier], if multiplier == 1 { 1f32 } else { -1.0 });
            let out = run("_FusedDepthwiseConv2dNative", &attrs, vec![image, filter.unwrap(), bias]).unwrap();
            assert_eq!(out[0].as_slice::<f32>().unwrap(), expected);
        }
    }
}
