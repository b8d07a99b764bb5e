//! `LRN`, local response normalisation across channels, and its gradient.
//!
//! `output[.., c] = input[.., c] / (bias + alpha * sum of input[.., d]^2 over |d - c| <= depth_radius)^beta`. `input`
//! has rank 4, channels last. Half precision is computed in f32. Of the gradient, `input_grads` is the gradient of the
//! output of `LRN`, `input_image` its input, `output_image` its output; all have one shape of rank 4.

use oplink::prelude::*;
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::{LRN, LRNAttrs, LRNGrad, LRNGradAttrs, LRNGradInputs};

/// `LRN` for the floats that TensorFlow normalises on the CPU.
#[kernel(LRN, device = CPU, T = [f16, f32])]
pub fn lrn_cpu<T: Computed<ComputeType = f32>>(
    input: &Tensor,
    attrs: LRNAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let response = Response::new(attrs.depth_radius, attrs.bias, attrs.alpha, attrs.beta)?;
    let &[_, _, _, channels] = input.shape().dims() else {
        bail!("input must be of rank 4, its shape is {}", input.shape())
    };
    let output = output.allocate(input.shape().clone())?;
    let values = computed_of(input.as_slice::<T>()?);
    if output.num_elements() > 0 {
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            for_each_row(&env, out, channels, GRAIN, &|pixel, out| {
                let pixel = &values[pixel * channels..][..channels];
                response.bases(env, pixel, out);
                out.iter_mut().zip(pixel).for_each(|(out, x)| *out = x * out.powf(-response.beta));
            });
        });
    }
    Ok(())
}

/// `LRNGrad` for the floats that TensorFlow normalises on the CPU.
#[kernel(LRNGrad, device = CPU, T = [f16, f32])]
pub fn lrn_grad_cpu<T: Computed<ComputeType = f32>>(
    inputs: LRNGradInputs<'_>,
    attrs: LRNGradAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let response = Response::new(attrs.depth_radius, attrs.bias, attrs.alpha, attrs.beta)?;
    let [gradient, image, normalised] = [&*inputs.input_grads, &*inputs.input_image, &*inputs.output_image];
    let shape = image.shape();
    let &[_, _, _, channels] = shape.dims() else { bail!("input_image must be of rank 4, its shape is {shape}") };
    ensure!(
        gradient.shape() == shape && normalised.shape() == shape,
        "input_grads, input_image and output_image must have one shape, they are {}, {shape} and {}",
        gradient.shape(),
        normalised.shape()
    );
    let output = output.allocate(shape.clone())?;
    let (gradient, image) = (computed_of(gradient.as_slice::<T>()?), computed_of(image.as_slice::<T>()?));
    let normalised = computed_of(normalised.as_slice::<T>()?);
    if output.num_elements() > 0 {
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            for_each_row(&env, out, channels, GRAIN, &|pixel, out| {
                let part = pixel * channels..(pixel + 1) * channels;
                let values = [&gradient[part.clone()], &image[part.clone()], &normalised[part]];
                pixel_gradient(env, &response, values, out);
            });
        });
    }
    Ok(())
}

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 12;

/// The attrs of a local response normalisation.
#[derive(Debug, Clone, Copy)]
struct Response {
    radius: usize,
    bias: f32,
    alpha: f32,
    beta: f32,
}

impl Response {
    fn new(depth_radius: i64, bias: f32, alpha: f32, beta: f32) -> Result<Self> {
        let Ok(radius) = usize::try_from(depth_radius) else {
            bail!("depth_radius must be >= 0, it is {depth_radius}")
        };
        Ok(Self { radius, bias, alpha, beta })
    }

    /// The channels around `channel`.
    fn around(&self, channel: usize, channels: usize) -> std::ops::Range<usize> {
        channel.saturating_sub(self.radius)..channel.saturating_add(self.radius).saturating_add(1).min(channels)
    }

    /// Channels between two looks at the step.
    fn watched(&self, channels: usize) -> usize {
        GRAIN.div_ceil(self.radius.min(channels).max(1))
    }

    /// What stands under the power, for each channel of a pixel.
    fn bases(&self, env: Env<'_>, pixel: &[f32], bases: &mut [f32]) {
        let watched = self.watched(pixel.len());
        for (channel, base) in bases.iter_mut().enumerate() {
            if channel % watched == watched - 1 {
                env.poll();
            }
            let sum: f32 = pixel[self.around(channel, pixel.len())].iter().map(|x| x * x).sum();
            *base = self.bias + self.alpha * sum;
        }
    }
}

/// The gradients of one pixel's channels.
fn pixel_gradient(env: Env<'_>, response: &Response, [gradient, image, normalised]: [&[f32]; 3], out: &mut [f32]) {
    // bounded: a row of the output
    let mut bases = vec![0f32; out.len()];
    response.bases(env, image, &mut bases);
    out.fill(0.0);
    let watched = response.watched(out.len());
    for (channel, &base) in bases.iter().enumerate() {
        if channel % watched == watched - 1 {
            env.poll();
        }
        let factor = -2.0 * response.alpha * response.beta * normalised[channel] / base * gradient[channel];
        for other in response.around(channel, out.len()) {
            out[other] += factor * image[other];
        }
        out[channel] += base.powf(-response.beta) * gradient[channel];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    #[test]
    fn neighbours_across_channels_count() {
        let input = Tensor::from_vec([1, 1, 1, 3], vec![1f32, 2.0, 3.0]).unwrap();
        let attrs = [("depth_radius", 1.into()), ("beta", 1.0.into())];
        let out = run("LRN", &attrs, vec![input.clone()]).unwrap();
        let expected = Tensor::from_vec([1, 1, 1, 3], vec![1.0 / 6.0, 2.0 / 15.0, 3.0 / 14.0f32]).unwrap();
        assert_close(&out[0], &expected, 2.0);
        assert!(run("LRN", &[("depth_radius", (-1).into())], vec![input]).is_err());
    }

    #[test]
    fn one_channel() {
        let one = |value: f32| Tensor::from_vec([1, 1, 1, 1], vec![value]).unwrap();
        // x / (1 + x^2) at 1 has the derivative 0.
        let out = run("LRNGrad", &[("beta", 1.0.into())], vec![one(3.0), one(1.0), one(0.5)]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), [0.0]);
        let wrong = Tensor::from_vec([1, 1, 1, 2], vec![0f32; 2]).unwrap();
        assert!(run("LRNGrad", &[], vec![one(3.0), wrong, one(0.5)]).is_err());
    }
}
