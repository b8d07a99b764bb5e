//! `AvgPool` and `AvgPool3D`, the mean of each window of an image or a volume, and their gradients.
//!
//! Images are [batch, rows, columns, channels], volumes have planes before the rows. Padding does not count: the mean
//! is over the values that the window covers. Of the gradients, `orig_input_shape` holds the shape of the pooling's
//! input, `grad` has the shape of its output; the gradient of each window is shared out evenly among the values that
//! the window covers. The 16-bit floats are summed in f32.

use super::pool::{PoolGeometry, PoolWindow, Pooled, each_picture, means, watched};
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_ops::nn::window::shape_of;
use oplink_ops::nn::{
    AvgPool, AvgPool3D, AvgPool3DGrad, AvgPool3DGradInputs, AvgPool3DGradOutputs, AvgPool3DInputs, AvgPool3DOutputs,
    AvgPoolGrad, AvgPoolGradInputs, AvgPoolGradOutputs, AvgPoolInputs, AvgPoolOutputs,
};

/// `AvgPool` over `NHWC` images.
#[kernel(AvgPool, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: ComputeFloat>> Kernel for Pooled<AvgPool, T> {
    type Op = AvgPool;

    fn new(construction: Construction<'_, AvgPool>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(&self, inputs: AvgPoolInputs<'_>, outputs: &mut AvgPoolOutputs<'_>, env: Env<'_>) -> Result<()> {
        let value = &*inputs.value;
        ensure!(value.rank() == 4, "value must be of rank 4, its shape is {}", value.shape());
        average::<T>(&self.window, value, &mut outputs.output, &env)
    }
}

/// `AvgPool3D` with the channels last.
#[kernel(AvgPool3D, device = CPU, T = [bf16, f32])]
impl<T: Computed<ComputeType: ComputeFloat>> Kernel for Pooled<AvgPool3D, T> {
    type Op = AvgPool3D;

    fn new(construction: Construction<'_, AvgPool3D>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(&self, inputs: AvgPool3DInputs<'_>, outputs: &mut AvgPool3DOutputs<'_>, env: Env<'_>) -> Result<()> {
        let input = &*inputs.input;
        ensure!(input.rank() == 5, "input must be of rank 5, its shape is {}", input.shape());
        average::<T>(&self.window, input, &mut outputs.output, &env)
    }
}

/// `AvgPoolGrad` with the channels last.
#[kernel(AvgPoolGrad, device = CPU, T = [floats])]
impl<T: Computed<ComputeType: ComputeFloat>> Kernel for Pooled<AvgPoolGrad, T> {
    type Op = AvgPoolGrad;

    fn new(construction: Construction<'_, AvgPoolGrad>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(&self, inputs: AvgPoolGradInputs<'_>, outputs: &mut AvgPoolGradOutputs<'_>, env: Env<'_>) -> Result<()> {
        spread::<T>(&self.window, [&*inputs.orig_input_shape, &*inputs.grad], &mut outputs.output, &env)
    }
}

/// `AvgPool3DGrad` with the channels last.
#[kernel(AvgPool3DGrad, device = CPU, T = [bf16, f32])]
impl<T: Computed<ComputeType: ComputeFloat>> Kernel for Pooled<AvgPool3DGrad, T> {
    type Op = AvgPool3DGrad;

    fn new(construction: Construction<'_, AvgPool3DGrad>) -> Result<Self> {
        Self::of(construction)
    }

    fn compute(
        &self,
        inputs: AvgPool3DGradInputs<'_>,
        outputs: &mut AvgPool3DGradOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        spread::<T>(&self.window, [&*inputs.orig_input_shape, &*inputs.grad], &mut outputs.output, &env)
    }
}

fn average<T: Computed<ComputeType: ComputeFloat>>(
    window: &PoolWindow,
    value: &Tensor,
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let geometry = window.geometry(value.shape())?;
    let output = output.allocate(geometry.output_shape())?;
    let image = computed_of(value.as_slice::<T>()?);
    fill_computed(output.as_mut_slice::<T>()?, |out| means(&geometry, env, &image, out));
    Ok(())
}

/// Sets `output` to what the gradient of each window gives to the values that the window covers.
fn spread<T: Computed<ComputeType: ComputeFloat>>(
    window: &PoolWindow,
    [shape, gradient]: [&Tensor; 2],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let shape = shape_of(shape, "orig_input_shape")?;
    ensure!(
        shape.rank() == gradient.rank(),
        "orig_input_shape {shape} must have as many elements as grad {} has dimensions",
        gradient.shape()
    );
    let geometry = window.geometry(&shape)?;
    geometry.check_output(gradient, "grad")?;
    let output = output.allocate(shape)?;
    let gradient = computed_of(gradient.as_slice::<T>()?);
    fill_computed(output.as_mut_slice::<T>()?, |out| spread_computed(&geometry, env, &gradient, out));
    Ok(())
}

fn spread_computed<L: ComputeFloat>(geometry: &PoolGeometry, env: &dyn KernelEnv, gradient: &[L], out: &mut [L]) {
    each_picture(geometry, env, out, &|index, out| {
        out.fill(L::ZERO);
        let gradient = &gradient[index * geometry.output_picture()..][..geometry.output_picture()];
        for (pixel, gradient) in watched(env, geometry, gradient.chunks_exact(geometry.channels).enumerate()) {
            let mut count = 0;
            geometry.runs(pixel, |_, pixels| count += pixels);
            let part = L::ONE / L::from_f64(count as f64);
            geometry.taps(pixel, |at| {
                out[at..].iter_mut().zip(gradient).for_each(|(to, &gradient)| *to = *to + gradient * part);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn padding_does_not_count() {
        for (padding, expected) in [("SAME", &[2f32, 3.5, 6.5, 8.0][..]), ("VALID", &[2.0])] {
            let sides = AttrValue::from(vec![1, 2, 2, 1]);
            let attrs = [("ksize", sides.clone()), ("strides", sides), ("padding", padding.into())];
            let image = Tensor::from_vec([1, 3, 3, 1], (0u8..9).map(f32::from).collect()).unwrap();
            let out = run("AvgPool", &attrs, vec![image]).unwrap();
            assert_eq!(out[0].as_slice::<f32>().unwrap(), expected);
        }
    }
}
