//! The gradients of `MaxPool`, `MaxPoolV2` and `MaxPool3D`, and the gradients of those with respect to their gradient.
//!
//! `orig_input` and `orig_output` are the pooling's. Of a gradient, `grad` has the shape of `orig_output`; over images
//! the gradient of each window goes to the first of its largest values (NaN is the largest where it comes first, and is
//! passed over otherwise), over volumes to every one of its values that is less than 1e-5 away from the pooling's
//! output. Of a gradient's gradient, `grad` has the shape of `orig_input`, the output that of `orig_output`; each
//! window takes the gradient at the first of its values that equals the pooling's output, 0 where none does. Gradients
//! of 16-bit floats are summed in f32. The V2 ops have `ksize` and `strides` as inputs, vectors of a number for each
//! axis of `orig_input`.

use super::max_backprop::{from_first_equal, to_equal, to_first_largest};
use super::pool::{PoolElement, PoolWindow, Pooled};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::attrs::{DataFormat, Padding};
use oplink_ops::nn::window::WindowAttrs;
use oplink_ops::nn::{
    MaxPool3DGrad, MaxPool3DGradAttrs, MaxPool3DGradGrad, MaxPool3DGradGradInputs, MaxPool3DGradGradOutputs,
    MaxPool3DGradInputs, MaxPoolGrad, MaxPoolGradGrad, MaxPoolGradGradInputs, MaxPoolGradGradOutputs,
    MaxPoolGradGradV2, MaxPoolGradGradV2Inputs, MaxPoolGradGradV2Outputs, MaxPoolGradInputs, MaxPoolGradOutputs,
    MaxPoolGradV2, MaxPoolGradV2Inputs, MaxPoolGradV2Outputs,
};

/// `MaxPoolGrad` with the channels last.
#[kernel(MaxPoolGrad, device = CPU, T = [reals])]
impl<T: Computed<ComputeType: PoolElement>> Kernel for Pooled<MaxPoolGrad, T> {
    type Op = MaxPoolGrad;

    fn new(construction: Construction<'_, MaxPoolGrad>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(&self, inputs: MaxPoolGradInputs<'_>, outputs: &mut MaxPoolGradOutputs<'_>, env: Env<'_>) -> Result<()> {
        let inputs = [&*inputs.orig_input, &*inputs.orig_output, &*inputs.grad];
        to_first_largest::<T>(&self.window, inputs, &mut outputs.output, &env)
    }
}

/// `MaxPool3DGrad` with the channels last.
#[kernel(MaxPool3DGrad, device = CPU, T = [f32], TInput = [f32])]
#[kernel(MaxPool3DGrad, device = CPU, T = [bf16], TInput = [bf16])]
pub fn max_pool3d_grad_cpu<T: Computed<ComputeType = f32>>(
    inputs: MaxPool3DGradInputs<'_>,
    attrs: MaxPool3DGradAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let window = PoolWindow::channels_last(&env.node().op.name, &attrs.into())?;
    let inputs = [&*inputs.orig_input, &*inputs.orig_output, &*inputs.grad];
    to_equal::<T>(&window, inputs, &mut output, &env)
}

/// `MaxPoolGradGrad` with the channels last.
#[kernel(MaxPoolGradGrad, device = CPU, T = [reals])]
impl<T: Computed<ComputeType: PoolElement>> Kernel for Pooled<MaxPoolGradGrad, T> {
    type Op = MaxPoolGradGrad;

    fn new(construction: Construction<'_, MaxPoolGradGrad>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: MaxPoolGradGradInputs<'_>,
        outputs: &mut MaxPoolGradGradOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.orig_input, &*inputs.orig_output, &*inputs.grad];
        from_first_equal::<T>(&self.window, inputs, &mut outputs.output, &env)
    }
}

/// `MaxPool3DGradGrad` with the channels last.
#[kernel(MaxPool3DGradGrad, device = CPU, T = [bf16, f32])]
impl<T: Computed<ComputeType: PoolElement>> Kernel for Pooled<MaxPool3DGradGrad, T> {
    type Op = MaxPool3DGradGrad;

    fn new(construction: Construction<'_, MaxPool3DGradGrad>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: MaxPool3DGradGradInputs<'_>,
        outputs: &mut MaxPool3DGradGradOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let inputs = [&*inputs.orig_input, &*inputs.orig_output, &*inputs.grad];
        from_first_equal::<T>(&self.window, inputs, &mut outputs.output, &env)
    }
}

/// The window of an op whose sizes and strides are inputs.
fn window_of(
    ksize: &Tensor,
    strides: &Tensor,
    padding: Padding,
    data_format: DataFormat,
    env: &Env<'_>,
) -> Result<PoolWindow> {
    let attrs = WindowAttrs { padding: padding.into(), data_format: data_format.into(), ..WindowAttrs::NONE };
    PoolWindow::of_inputs(&env.node().op.name, attrs, &int_values(ksize)?, &int_values(strides)?)
}

/// `MaxPoolGradV2` with the channels last.
#[kernel(MaxPoolGradV2, device = CPU, T = [reals], host_memory = ["ksize", "strides"])]
pub fn max_pool_grad_v2_cpu<T: Computed<ComputeType: PoolElement>>(
    inputs: MaxPoolGradV2Inputs<'_>,
    padding: Padding,
    data_format: DataFormat,
    outputs: &mut MaxPoolGradV2Outputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let window = window_of(&inputs.ksize, &inputs.strides, padding, data_format, &env)?;
    let inputs = [&*inputs.orig_input, &*inputs.orig_output, &*inputs.grad];
    to_first_largest::<T>(&window, inputs, &mut outputs.output, &env)
}

/// `MaxPoolGradGradV2` with the channels last.
#[kernel(MaxPoolGradGradV2, device = CPU, T = [reals], host_memory = ["ksize", "strides"])]
pub fn max_pool_grad_grad_v2_cpu<T: Computed<ComputeType: PoolElement>>(
    inputs: MaxPoolGradGradV2Inputs<'_>,
    padding: Padding,
    data_format: DataFormat,
    outputs: &mut MaxPoolGradGradV2Outputs<'_>,
    env: Env<'_>,
) -> Result<()> {
    let window = window_of(&inputs.ksize, &inputs.strides, padding, data_format, &env)?;
    let inputs = [&*inputs.orig_input, &*inputs.orig_output, &*inputs.grad];
    from_first_equal::<T>(&window, inputs, &mut outputs.output, &env)
}
