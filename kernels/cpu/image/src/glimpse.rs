//! `ExtractGlimpse` and `ExtractGlimpseV2`: parts of images around points.

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::image::{ExtractGlimpse, ExtractGlimpseV2};
use oplink_ops::philox::{Philox, Singles};

/// What is beyond an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noise {
    Uniform,
    Gaussian,
    Zero,
}

impl Noise {
    fn new(uniform: bool, name: &str) -> Result<Self> {
        ensure!(!uniform || matches!(name, "" | "uniform"), "with uniform_noise the noise cannot be `{name}`");
        match name {
            _ if uniform => Ok(Self::Uniform),
            "uniform" => Ok(Self::Uniform),
            "gaussian" => Ok(Self::Gaussian),
            "zero" => Ok(Self::Zero),
            other => bail!("noise must be `uniform`, `gaussian` or `zero`, it is `{other}`"),
        }
    }

    /// Fills a part with noise that is like an image.
    fn fill(self, image: &[f32], out: &mut [f32], channels: usize) {
        if self == Self::Zero {
            return out.fill(0.0);
        }
        let mut numbers = Singles::new(Philox::from_seeds(0, 0));
        let ends = |values: &mut dyn Iterator<Item = f32>| {
            values.fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)))
        };
        if self == Self::Uniform {
            let (least, most) = ends(&mut image.iter().copied());
            return out.iter_mut().for_each(|out| *out = least + numbers.single() * (most - least));
        }
        for channel in 0..channels {
            let own = || image.iter().skip(channel).step_by(channels).copied();
            let count = (image.len() / channels) as f32;
            let mean = own().sum::<f32>() / count;
            let deviation = (own().map(|value| (value - mean) * (value - mean)).sum::<f32>() / count).sqrt();
            let (least, most) = ends(&mut own());
            for out in out.iter_mut().skip(channel).step_by(channels) {
                *out = (normal(&mut numbers) * deviation + mean).min(most).max(least);
            }
        }
    }
}

/// A number of the standard normal distribution (Box and Muller).
fn normal(numbers: &mut Singles) -> f32 {
    let (radius, angle) = (1.0 - numbers.double(), numbers.double());
    ((-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()) as f32
}

/// How offsets are meant.
#[derive(Clone, Copy, Debug)]
struct Offsets {
    centered: bool,
    normalized: bool,
    second_version: bool,
}

impl Offsets {
    /// Where a part of `size` pixels begins along an axis of `extent`.
    fn start(self, offset: f32, extent: usize, size: usize) -> i64 {
        let (whole, part) = (extent as f32, size as f32);
        let offset = if self.normalized { offset * whole } else { offset };
        let halved = self.normalized || !self.second_version;
        let offset = match self.centered {
            true if halved => offset / 2.0 + whole / 2.0,
            true => offset + whole / 2.0,
            false => offset,
        };
        let is_middle = !self.second_version || (self.centered && self.normalized);
        (if is_middle { offset - part / 2.0 } else { offset }) as i64
    }
}

/// Pixels of a part along an axis that lie in the image: where they begin in the image and in the part, and how many.
fn overlap(start: i64, extent: usize, size: usize) -> [usize; 3] {
    let (from, to) = (start.max(0), start.saturating_add(size as i64).min(extent as i64));
    match usize::try_from(to.saturating_sub(from)) {
        Ok(count @ 1..) => [from as usize, (from - start) as usize, count],
        _ => [0, 0, 0],
    }
}

/// `ExtractGlimpse`.
#[kernel(ExtractGlimpse, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn extract_glimpse_cpu(
    input: &Tensor,
    size: &Tensor,
    offsets: &Tensor,
    centered: bool,
    normalized: bool,
    uniform_noise: bool,
    noise: &str,
    mut glimpse: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let meaning = Offsets { centered, normalized, second_version: false };
    extract(input, size, offsets, meaning, Noise::new(uniform_noise, noise)?, &mut glimpse, env)
}

/// `ExtractGlimpseV2`.
#[kernel(ExtractGlimpseV2, device = CPU)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn extract_glimpse_v2_cpu(
    input: &Tensor,
    size: &Tensor,
    offsets: &Tensor,
    centered: bool,
    normalized: bool,
    uniform_noise: bool,
    noise: &str,
    mut glimpse: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let meaning = Offsets { centered, normalized, second_version: true };
    extract(input, size, offsets, meaning, Noise::new(uniform_noise, noise)?, &mut glimpse, env)
}

fn extract(
    input: &Tensor,
    size: &Tensor,
    offsets: &Tensor,
    meaning: Offsets,
    noise: Noise,
    glimpse: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[batch, height, width, channels] = input.shape().dims() else {
        bail!("input must be of rank 4, its shape is {}", input.shape())
    };
    ensure!(size.shape().dims() == [2], "size must have 2 elements, its shape is {}", size.shape());
    let extent = |extent: i64| match usize::try_from(extent) {
        Ok(extent) => Ok(extent),
        Err(_) => Err(Error::invalid_argument(format!("size must not be negative, it has {extent}"))),
    };
    let wanted = int_values(size)?;
    let (rows, columns) = (extent(wanted[0])?, extent(wanted[1])?);
    let given = offsets.shape();
    ensure!(given.dims() == [batch, 2], "offsets must have the shape [{batch},2], it has {given}");
    let (values, offsets) = (input.as_slice::<f32>()?, offsets.as_slice::<f32>()?);
    let out = glimpse.allocate([batch, rows, columns, channels])?.as_mut_slice::<f32>()?;
    if out.is_empty() {
        return Ok(());
    }
    let part = rows * columns * channels;
    for (image, out) in env.watch(out.chunks_exact_mut(part).enumerate()) {
        let pixels = &values[image * height * width * channels..][..height * width * channels];
        let [y, to_y, count_y] = overlap(meaning.start(offsets[2 * image], height, rows), height, rows);
        let [x, to_x, count_x] = overlap(meaning.start(offsets[2 * image + 1], width, columns), width, columns);
        if (count_y, count_x) != (rows, columns) {
            noise.fill(pixels, out, channels);
        }
        for row in 0..if count_x > 0 { count_y } else { 0 } {
            let to = &mut out[((to_y + row) * columns + to_x) * channels..][..count_x * channels];
            to.copy_from_slice(&pixels[((y + row) * width + x) * channels..][..count_x * channels]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn beyond_the_image_is_nothing_or_noise() {
        let image = Tensor::from_vec([1, 2, 2, 1], vec![1f32, 2.0, 3.0, 4.0]).unwrap();
        // The first version has the middle of the part.
        let offsets = Tensor::from_vec([1, 2], vec![2f32, 2.0]).unwrap();
        let glimpse = |noise: &str| {
            let attrs: [(&str, AttrValue); 4] = [
                ("centered", false.into()),
                ("normalized", false.into()),
                ("uniform_noise", false.into()),
                ("noise", noise.into()),
            ];
            let out = run("ExtractGlimpse", &attrs, vec![image.clone(), [2i32, 2].into(), offsets.clone()]).unwrap();
            out[0].as_slice::<f32>().unwrap().to_vec()
        };
        assert_eq!(glimpse("zero"), [4.0, 0.0, 0.0, 0.0]);
        for noise in ["uniform", "gaussian"] {
            assert!(glimpse(noise).iter().all(|value| (1.0..=4.0).contains(value)), "{noise}");
        }
    }
}
