//! `AdjustContrastv2` and `AdjustContrast`.

use oplink::KernelEnv;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::{AdjustContrast, AdjustContrastv2};

use crate::floats::floats;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// `AdjustContrastv2` in single precision.
#[kernel(AdjustContrastv2, device = CPU, T = [f32])]
pub fn adjust_contrast_v2_cpu(
    images: &Tensor,
    contrast_factor: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let factor = scalar("contrast_factor", contrast_factor)?;
    let out = output.allocate(images.shape().clone())?.as_mut_slice::<f32>()?;
    adjust(&env, images, out, |mean, value| mean + factor * (value - mean))
}

/// `AdjustContrast`, computed in single precision.
#[kernel(AdjustContrast, device = CPU, T = [u8, i8, i16, i32, f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn adjust_contrast_cpu<T: Number + num_traits::ToPrimitive>(
    images: &Tensor,
    contrast_factor: &Tensor,
    min_value: &Tensor,
    max_value: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let factor = scalar("contrast_factor", contrast_factor)?;
    let (least, most) = (scalar("min_value", min_value)?, scalar("max_value", max_value)?);
    let values = images.as_slice::<T>()?.iter().map(|value| value.to_f32().unwrap_or(0.0));
    let values = Tensor::from_vec(images.shape().clone(), oplink::memory::try_collect(values)?)?;
    let out = output.allocate(images.shape().clone())?.as_mut_slice::<f32>()?;
    adjust(&env, &values, out, |mean, value| {
        let adjusted = mean + factor * (value - mean);
        let below = if adjusted > most { most } else { adjusted };
        if below < least { least } else { below }
    })
}

fn scalar(name: &str, value: &Tensor) -> Result<f32> {
    ensure!(value.rank() == 0, "{name} must be a scalar, its shape is {}", value.shape());
    value.to_scalar()
}

/// Sets each value to a function of its channel's mean in the image and of itself.
fn adjust(
    env: &dyn KernelEnv,
    images: &Tensor,
    out: &mut [f32],
    adjusted: impl Fn(f32, f32) -> f32 + Sync,
) -> Result<()> {
    let &[.., rows, columns, channels] = images.shape().dims() else {
        bail!("images must be of rank 3 at least, their shape is {}", images.shape())
    };
    if out.is_empty() {
        return Ok(());
    }
    let (values, pixels) = (floats(images)?, rows * columns);
    let mut means = try_filled(0f32, out.len() / pixels)?;
    for_each_row(env, &mut means, channels, 1, &|image, means| {
        mean_of_channels(&values[image * pixels * channels..][..pixels * channels], means);
    });
    for_each_row(env, out, channels, GRAIN, &|pixel, out| {
        let means = &means[pixel / pixels * channels..][..channels];
        let values = &values[pixel * channels..][..channels];
        for ((out, &mean), &value) in out.iter_mut().zip(means).zip(values) {
            *out = adjusted(mean, value);
        }
    });
    Ok(())
}

/// The mean of each channel, by halving the image and adding the halves: so errors stay small, and the sums are those
/// of TensorFlow.
fn mean_of_channels(image: &[f32], means: &mut [f32]) {
    let (channels, pixels) = (means.len(), image.len() / means.len());
    // bounded: half an image of the input
    let mut sums = image[..pixels.div_ceil(2) * channels].to_vec();
    let mut count = sums.len() / channels;
    add(&mut sums, &image[count * channels..]);
    while count > 1 {
        let left = count.div_ceil(2);
        let (low, high) = sums.split_at_mut(left * channels);
        add(low, &high[..(count - left) * channels]);
        count = left;
    }
    let factor = 1.0 / pixels as f32;
    means.iter_mut().zip(&sums).for_each(|(mean, sum)| *mean = sum * factor);
}

fn add(sums: &mut [f32], values: &[f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    fn image(values: &[f32]) -> Tensor {
        Tensor::from_vec([1, values.len() / 2, 2], values.to_vec()).unwrap()
    }

    #[test]
    fn distances_from_the_mean_of_a_channel_grow() {
        let expected = image(&[0.0, 10.0, 2.0, 10.0, 4.0, 10.0]);
        check("AdjustContrastv2", [image(&[1.0, 10.0, 2.0, 10.0, 3.0, 10.0]), 2f32.into()], expected);
        check_error("AdjustContrastv2", [Tensor::from([1f32]), 2f32.into()], "rank 3 at least");
    }
}
