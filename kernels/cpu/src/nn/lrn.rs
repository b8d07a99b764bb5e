//! `LRN`: local response normalisation across channels.
//!
//! `output[.., c] = input[.., c] / (bias + alpha * sum of input[.., d]^2 over |d - c| <= depth_radius)^beta`. `input` has rank
//! 4, channels last. Half precision is computed in f32.

use oplink::prelude::*;

use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_row;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 12;

/// Divides each value by a power of the sum of its neighbours' squares across channels.
#[op("LRN",
     input = "input: T",
     output = "output: T",
     attr = "depth_radius: int = 5",
     attr = "bias: float = 1.0",
     attr = "alpha: float = 1.0",
     attr = "beta: float = 0.5",
     attr = "T: {half, bfloat16, float} = DT_FLOAT",
     shape = shape_fns::unchanged_with_rank::<4>)]
pub struct LRN;

/// The attrs of a local response normalisation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Response {
    pub(super) radius: usize,
    pub(super) bias: f32,
    pub(super) alpha: f32,
    pub(super) beta: f32,
}

impl Response {
    /// From the attrs.
    ///
    /// # Errors
    /// A negative radius.
    pub(super) fn new(context: &KernelContext<'_>) -> Result<Self> {
        let radius = context.attr::<i64>("depth_radius")?;
        let (bias, alpha, beta) = (context.attr("bias")?, context.attr("alpha")?, context.attr("beta")?);
        let Ok(radius) = usize::try_from(radius) else { bail!("depth_radius must be >= 0, it is {radius}") };
        Ok(Self { radius, bias, alpha, beta })
    }

    /// The channels around `channel`.
    pub(super) fn around(&self, channel: usize, channels: usize) -> std::ops::Range<usize> {
        channel.saturating_sub(self.radius)..channel.saturating_add(self.radius).saturating_add(1).min(channels)
    }

    /// What stands under the power, for each channel of a pixel.
    pub(super) fn bases(&self, pixel: &[f32], bases: &mut [f32]) {
        for (channel, base) in bases.iter_mut().enumerate() {
            let sum: f32 = pixel[self.around(channel, pixel.len())].iter().map(|x| x * x).sum();
            *base = self.bias + self.alpha * sum;
        }
    }
}

/// `LRN` for the floats that TensorFlow normalises on the CPU.
#[kernel(LRN, device = CPU, T = [f16, f32])]
pub fn lrn_cpu<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, response) = (context.input(0), Response::new(context)?);
    let &[_, _, _, channels] = input.shape().dims() else {
        bail!("input must be of rank 4, its shape is {}", input.shape())
    };
    let mut output = context.allocate_output(0, input.shape().clone())?;
    let values = lanes_of(input.as_slice::<T>()?);
    if output.num_elements() > 0 {
        fill_lanes(output.as_mut_slice::<T>()?, |out| {
            for_each_row(context.env(), out, channels, GRAIN, &|pixel, out| {
                let pixel = &values[pixel * channels..][..channels];
                response.bases(pixel, out);
                out.iter_mut().zip(pixel).for_each(|(out, x)| *out = x * out.powf(-response.beta));
            });
        });
    }
    context.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run};

    #[test]
    fn neighbours_across_channels_count() {
        let input = Tensor::from_vec([1, 1, 1, 3], vec![1f32, 2.0, 3.0]).unwrap();
        let attrs = [("depth_radius", 1.into()), ("beta", 1.0.into())];
        let out = run("LRN", &attrs, vec![input.clone()]).unwrap();
        let expected = Tensor::from_vec([1, 1, 1, 3], vec![1.0 / 6.0, 2.0 / 15.0, 3.0 / 14.0f32]).unwrap();
        assert_close(&out[0], &expected, 2.0);
        assert!(run("LRN", &[("depth_radius", (-1).into())], vec![input]).is_err());
    }
}
