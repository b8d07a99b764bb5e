//! `_FusedConv2D` and `_FusedDepthwiseConv2dNative`: a convolution of images and what follows it in one pass.
//!
//! `fused_ops` names what follows: `BiasAdd` (`args` are a vector), or of `_FusedConv2D` `FusedBatchNorm` (`args` are
//! its vectors scale, offset, mean and variance) and perhaps `Add` (one more of `args`, of the output's shape); then
//! perhaps an activation, `Relu`, `Relu6`, `LeakyRelu`, `Elu`, `Tanh`, `Sigmoid`, `GeluApproximate` or `GeluExact`. All
//! of it is done to a tile of the output while it is in cache. `Add` and the activations from `Tanh` on are oplink's
//! own.

use super::constant_filter::FilterState;
use super::depthwise::{self, Depthwise, DepthwiseFinish};
use super::direct;
use super::forward::convolve;
use super::geometry::Geometry;
use oplink::prelude::*;
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::fused_ops::FusedOps;
use oplink_cpu_contraction::taps::TapElement;
use oplink_cpu_contraction::tile::{Operands, TileElement};
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_ops::nn::window::Window;
use oplink_ops::nn::{
    _FusedConv2D, _FusedConv2DFilterFormat, _FusedConv2DInputs, _FusedConv2DOutputs, _FusedDepthwiseConv2dNative,
    _FusedDepthwiseConv2dNativeInputs, _FusedDepthwiseConv2dNativeOutputs,
};
use std::marker::PhantomData;

/// `_FusedConv2D` over `NHWC` images.
pub struct FusedConv2dCpu<T: Computed> {
    window: Window,
    steps: FusedOps<T::ComputeType>,
    filter: FilterState,
    element: PhantomData<fn() -> T>,
}

#[kernel(_FusedConv2D, device = CPU, T = [f16, f32, f64])]
impl<T: Computed<ComputeType: TileElement + ComputeFloat>> Kernel for FusedConv2dCpu<T> {
    type Op = _FusedConv2D;

    fn new(construction: Construction<'_, _FusedConv2D>) -> Result<Self> {
        let (op, attrs) = (&construction.node().op.name, construction.attrs);
        if attrs.filter_format != _FusedConv2DFilterFormat::Hwio {
            return Err(Error::unimplemented(format!(
                "_FusedConv2D on the CPU takes filters as HWIO only, not {}",
                attrs.filter_format
            )));
        }
        let window = Window::channels_last(op, &attrs.into())?;
        let steps = FusedOps::new(op, attrs.fused_ops, attrs.epsilon, attrs.leakyrelu_alpha)?;
        Ok(Self { window, steps, filter: FilterState::of_node(&construction), element: PhantomData })
    }

    fn compute(
        &self,
        inputs: _FusedConv2DInputs<'_>,
        outputs: &mut _FusedConv2DOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let (input, filter) = (&*inputs.input, &*inputs.filter);
        ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        let output = outputs.output.allocate(geometry.output_shape(4))?;
        let args = self.steps.args::<T>(&inputs.args, output.shape())?;
        let known = self.filter.of(filter);
        let image = computed_of(input.as_slice::<T>()?);
        let weights = direct::elements::<T>(filter, &geometry, known)?;
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            self.steps.finish(&args, geometry.out_depth, |finish| {
                let operands = Operands { image: &image, filter: &weights, finish, out };
                convolve(&env, &geometry, operands, known)
            })
        })
    }
}

/// `_FusedDepthwiseConv2dNative` over `NHWC` images.
pub struct FusedDepthwiseConv2dCpu<T: Computed> {
    window: Window,
    steps: FusedOps<T::ComputeType>,
    element: PhantomData<fn() -> T>,
}

#[kernel(_FusedDepthwiseConv2dNative, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: TapElement + ComputeFloat>> Kernel for FusedDepthwiseConv2dCpu<T> {
    type Op = _FusedDepthwiseConv2dNative;

    fn new(construction: Construction<'_, _FusedDepthwiseConv2dNative>) -> Result<Self> {
        let (op, attrs) = (&construction.node().op.name, construction.attrs);
        let steps = FusedOps::new(op, attrs.fused_ops, attrs.epsilon, attrs.leakyrelu_alpha)?;
        if !steps.is_bias_and_activation() {
            return Err(Error::unimplemented("_FusedDepthwiseConv2dNative takes BiasAdd and an activation alone"));
        }
        Ok(Self { window: Window::channels_last(op, &attrs.into())?, steps, element: PhantomData })
    }

    fn compute(
        &self,
        inputs: _FusedDepthwiseConv2dNativeInputs<'_>,
        outputs: &mut _FusedDepthwiseConv2dNativeOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let (input, filter) = (&*inputs.input, &*inputs.filter);
        let geometry = Depthwise::new(&self.window, input.shape(), filter.shape())?;
        let output = outputs.output.allocate(geometry.output_shape())?;
        let args = self.steps.args::<T>(&inputs.args, output.shape())?;
        let activate = |values: &mut [T::ComputeType]| self.steps.activation().apply(values);
        let finish = DepthwiseFinish::new(&self.steps, &args, &activate);
        let (image, filter) = (computed_of(input.as_slice::<T>()?), computed_of(filter.as_slice::<T>()?));
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            depthwise::convolve(&env, &geometry, (&image, &filter), finish, out);
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn fused(fused_ops: &[&str], args: Vec<Tensor>) -> Result<Vec<f32>> {
        let attrs = [
            ("fused_ops", fused_ops.into()),
            ("strides", vec![1, 1, 1, 1].into()),
            ("padding", "VALID".into()),
            ("num_args", (args.len() as i64).into()),
            ("num_host_args", 0.into()),
        ];
        let image = Tensor::from_vec([1, 1, 2, 1], vec![1f32, -2.0])?;
        let filter = Tensor::from_vec([1, 1, 1, 2], vec![1f32, 10.0])?;
        let out = run("_FusedConv2D", &attrs, [image, filter].into_iter().chain(args).collect())?;
        Ok(out[0].as_slice()?.to_vec())
    }

    #[test]
    fn steps_follow_each_other() {
        let bias = Tensor::from_slice(&[1f32, 2.0]);
        let side = Tensor::from_vec([1, 1, 2, 2], vec![0f32, 1.0, 2.0, 30.0]).unwrap();
        assert_eq!(fused(&["BiasAdd"], vec![bias.clone()]).unwrap(), [2.0, 12.0, -1.0, -18.0]);
        assert_eq!(fused(&["BiasAdd", "Relu6"], vec![bias.clone()]).unwrap(), [2.0, 6.0, 0.0, 0.0]);
        assert_eq!(fused(&["BiasAdd", "LeakyRelu"], vec![bias.clone()]).unwrap(), [2.0, 12.0, -0.2, -18.0 * 0.2]);
        assert_eq!(fused(&["BiasAdd", "Add"], vec![bias.clone(), side]).unwrap(), [2.0, 13.0, 1.0, 12.0]);
        assert!(fused(&["BiasAdd"], vec![bias.clone(), bias.clone()]).is_err());
        assert_eq!(fused(&["Relu"], vec![bias]).unwrap_err().code(), Code::Unimplemented);
    }

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
