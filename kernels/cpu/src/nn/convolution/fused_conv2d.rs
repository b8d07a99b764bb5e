//! `_FusedConv2D`: `Conv2D` and what follows it in one pass.
//!
//! `fused_ops` names what follows: `BiasAdd` (`args` are a vector), or `FusedBatchNorm` (`args` are its vectors scale, offset,
//! mean and variance); then perhaps `Add` (one more of `args`, of the output's shape) and an activation, `Relu`, `Relu6`,
//! `LeakyRelu`, `Elu`, `Tanh`, `Sigmoid`, `GeluApproximate` or `GeluExact`. All of it is done to a tile of the output while it
//! is in cache. `Add` and the activations from `Tanh` on are oplink's own.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::forward::convolve;
use super::geometry::Geometry;
use crate::numeric::fused_ops::FusedOps;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::numeric::tile::TileLane;
use crate::support::elementwise::{FloatLane, Lanes};
use crate::support::window::Window;

/// Convolves images with a filter, then adds a bias or normalises, and applies an activation.
#[op("_FusedConv2D",
     input = "input: T",
     input = "filter: T",
     input = "args: TArgs",
     input = "host_args: num_host_args * float",
     output = "output: T",
     attr = "T: {half, float, double, int8, qint8}",
     attr = "TArgs: list(type) >= 1",
     attr = "num_args: int >= 0",
     attr = "num_host_args: int >= 0 = 0",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'",
     attr = "filter_format: {'HWIO', 'OIHW', 'OIHW_VECT_I'} = 'HWIO'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "fused_ops: list(string) = []",
     attr = "epsilon: float = 0.0001",
     attr = "leakyrelu_alpha: float = 0.2",
     shape = shape_fns::conv2d)]
pub struct _FusedConv2D;

/// `_FusedConv2D` over `NHWC` images.
pub struct FusedConv2dCpu<T: Lanes> {
    window: Window,
    steps: FusedOps<T::Lane>,
    element: PhantomData<fn() -> T>,
}

#[kernel(_FusedConv2D, device = CPU, T = [f16, f32, f64])]
impl<T: Lanes<Lane: TileLane + FloatLane>> Kernel for FusedConv2dCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let node = construction.node();
        let format = node.attr::<&str>("filter_format")?;
        if format != "HWIO" {
            return Err(Error::unimplemented(format!(
                "_FusedConv2D on the CPU takes filters as HWIO only, not {format}"
            )));
        }
        Ok(Self { window: Window::new(node)?, steps: FusedOps::new(node)?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (input, filter) = (context.input(0), context.input(1));
        ensure!(input.rank() == 4, "input must be of rank 4, its shape is {}", input.shape());
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        let mut output = context.allocate_output(0, geometry.output_shape(4))?;
        let args = self.steps.args::<T>(context, output.shape())?;
        let (image, weights) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            self.steps.finish(&args, geometry.out_depth, |finish| {
                convolve(context.env(), &geometry, (&image, &weights), finish, out)
            })
        })?;
        drop((args, image, weights));
        context.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

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
}
