//! `_FusedConv2D`: a convolution over images, then a bias, perhaps a tensor added, and an activation, in place by a
//! program.
//!
//! A bias alone is left to `BiasAdd`, or to the chain of elementwise ops that it begins: it would be no launch less.

use oplink::prelude::*;
use oplink_ops::nn::window::Window;
use oplink_ops::nn::{_FusedConv2D, _FusedConv2DFilterFormat, _FusedConv2DInputs, _FusedConv2DOutputs};

use super::conv2d::enqueue;
use super::layout::Convolution;
use super::library::TurnedFilter;
use crate::epilogue::Epilogue;

/// `_FusedConv2D` over `NHWC` images. Sums are in f32.
#[derive(Debug)]
pub struct FusedConv2dGpu {
    window: Window,
    by_library: bool,
    turned: TurnedFilter,
    epilogue: Epilogue,
}

#[kernel(_FusedConv2D, device = GPU, T = [f16, f32])]
impl Kernel for FusedConv2dGpu {
    type Op = _FusedConv2D;

    fn new(construction: Construction<'_, _FusedConv2D>) -> Result<Self> {
        let (op, attrs) = (&construction.node().op.name, construction.attrs);
        if attrs.filter_format != _FusedConv2DFilterFormat::Hwio {
            let message = format!("{op} on a GPU takes filters as HWIO only, not {}", attrs.filter_format);
            return Err(Error::unimplemented(message));
        }
        let epilogue = Epilogue::new(op, attrs.fused_ops, attrs.leakyrelu_alpha)?;
        if epilogue.is_bias_alone() {
            return Err(Error::unimplemented(format!(
                "{op} on a GPU takes more than a bias: it is no faster with one"
            )));
        }
        let window = Window::channels_last(op, &attrs.into())?;
        let turned = TurnedFilter::of(construction.constant(1));
        Ok(Self { window, by_library: attrs.use_cudnn_on_gpu, turned, epilogue })
    }

    fn compute(
        &self,
        inputs: _FusedConv2DInputs<'_>,
        outputs: &mut _FusedConv2DOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let _FusedConv2DInputs { input, filter, args, .. } = inputs;
        let convolution = Convolution::channels_last(&self.window, input.shape(), filter.shape())?;
        let shape = convolution.output_shape();
        self.epilogue.check(&args, &shape)?;
        let output = outputs.output.allocate(shape)?;
        if output.num_elements() == 0 {
            return Ok(());
        }
        let device = env.device()?;
        let turned = self.by_library.then_some(&self.turned);
        enqueue(&convolution, device, [&input, &filter, output], turned)?;
        self.epilogue.launch(device, &args, output)
    }
}
