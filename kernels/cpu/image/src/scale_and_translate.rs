//! `ScaleAndTranslate` and its gradient: weighted sums over rows, then over columns.

use std::f32::consts::PI;

use oplink::KernelEnv;
use oplink::memory::{check, try_filled};
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::geometry::ResizeExtents;
use oplink_ops::image::{ScaleAndTranslate, ScaleAndTranslateGrad};

use crate::floats::floats;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// `ScaleAndTranslate` of every dtype.
#[kernel(ScaleAndTranslate, device = CPU, T = any, host_memory = [size, scale, translation])]
pub fn scale_and_translate_cpu(
    images: &Tensor,
    size: &Tensor,
    scale: &Tensor,
    translation: &Tensor,
    kernel_type: &[u8],
    antialias: bool,
    mut resized_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let kernel = Weights::of(kernel_type)?;
    let ResizeExtents { batch, input, output: [out_rows, out_columns], channels } = ResizeExtents::new(images, size)?;
    let [rows, columns] = input;
    let (scale, translation) = (scales(scale)?, two("translation", translation)?);
    let out = resized_images.allocate([batch, out_rows, out_columns, channels])?.as_mut_slice::<f32>()?;
    if !out.is_empty() {
        let spans = |input, output, axis: usize| {
            Spans::new(env, kernel, input, output, [scale[axis], translation[axis]], antialias)
        };
        let spans = [spans(rows, out_rows, 0)?, spans(columns, out_columns, 1)?];
        gather(&env, &floats(images)?, [rows, columns, channels], &spans, out)?;
    }
    Ok(())
}

/// `ScaleAndTranslateGrad`.
#[kernel(ScaleAndTranslateGrad, device = CPU, T = [f32], host_memory = [scale, translation])]
pub fn scale_and_translate_grad_cpu(
    grads: &Tensor,
    original_image: &Tensor,
    scale: &Tensor,
    translation: &Tensor,
    kernel_type: &[u8],
    antialias: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let kernel = Weights::of(kernel_type)?;
    let (&[batch, out_rows, out_columns, channels], &[_, rows, columns, _]) =
        (grads.shape().dims(), original_image.shape().dims())
    else {
        bail!(
            "grads and original_image must be of rank 4, their shapes are {} and {}",
            grads.shape(),
            original_image.shape()
        )
    };
    let (scale, translation) = (scales(scale)?, two("translation", translation)?);
    let out = output.allocate([batch, rows, columns, channels])?.as_mut_slice::<f32>()?;
    if grads.num_elements() == 0 {
        out.fill(0.0);
    } else if !out.is_empty() {
        let spans = |input, output, axis: usize| {
            Spans::new(env, kernel, input, output, [scale[axis], translation[axis]], antialias)?.turned(input, output)
        };
        let spans = [spans(rows, out_rows, 0)?, spans(columns, out_columns, 1)?];
        gather(&env, grads.as_slice()?, [out_rows, out_columns, channels], &spans, out)?;
    }
    Ok(())
}

fn two(name: &str, values: &Tensor) -> Result<[f32; 2]> {
    match values.as_slice::<f32>()? {
        &[rows, columns] if values.rank() == 1 => Ok([rows, columns]),
        _ => bail!("{name} must have shape [2], its shape is {}", values.shape()),
    }
}

fn scales(scale: &Tensor) -> Result<[f32; 2]> {
    let scales = two("scale", scale)?;
    ensure!(scales.iter().all(|&scale| scale > 0.0), "scale must be > 0, it is {scales:?}");
    Ok(scales)
}

/// What pixels count by their distance.
#[derive(Debug, Clone, Copy)]
enum Weights {
    Lanczos(f32),
    Gaussian,
    Box,
    Triangle,
    KeysCubic,
    MitchellCubic,
}

impl Weights {
    fn of(name: &[u8]) -> Result<Self> {
        Ok(match name.to_ascii_lowercase().as_slice() {
            b"lanczos1" => Self::Lanczos(1.0),
            b"lanczos3" => Self::Lanczos(3.0),
            b"lanczos5" => Self::Lanczos(5.0),
            b"gaussian" => Self::Gaussian,
            b"box" => Self::Box,
            b"triangle" => Self::Triangle,
            b"keyscubic" => Self::KeysCubic,
            b"mitchellcubic" => Self::MitchellCubic,
            _ => bail!(
                "kernel_type must be lanczos1, lanczos3, lanczos5, gaussian, box, triangle, keyscubic or \
                 mitchellcubic, it is `{}`",
                String::from_utf8_lossy(name)
            ),
        })
    }

    /// The distance from which on pixels do not count.
    fn radius(self) -> f32 {
        match self {
            Self::Lanczos(radius) => radius,
            Self::Gaussian => 1.5,
            Self::Box | Self::Triangle => 1.0,
            Self::KeysCubic | Self::MitchellCubic => 2.0,
        }
    }

    fn at(self, x: f32) -> f32 {
        match self {
            Self::Lanczos(radius) if x > radius => 0.0,
            Self::Lanczos(_) if x <= 1e-3 => 1.0,
            Self::Lanczos(radius) => radius * (PI * x).sin() * (PI * x / radius).sin() / (PI * PI * x * x),
            Self::Gaussian if x >= 1.5 => 0.0,
            Self::Gaussian => f64::from(-x * x / 0.5).exp() as f32,
            Self::Box if x == 0.5 => 0.5,
            Self::Box => f32::from(x < 0.5),
            Self::Triangle => (1.0 - x).max(0.0),
            _ if x >= 2.0 => 0.0,
            Self::KeysCubic if x >= 1.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
            Self::KeysCubic => ((1.5 * x - 2.5) * x) * x + 1.0,
            Self::MitchellCubic if x >= 1.0 => (((-7.0 / 18.0) * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0,
            Self::MitchellCubic => (((7.0 / 6.0) * x - 2.0) * x) * x + 8.0 / 9.0,
        }
    }
}

/// For each position of an axis of the output those of the input that count, one after the other, and how much.
struct Spans {
    starts: Vec<usize>,
    /// Weights of all positions, as many for each as [`Spans::width`].
    weights: Vec<f32>,
    width: usize,
}

impl Spans {
    fn empty(width: usize, count: usize) -> Result<Self> {
        let Some(total) = width.checked_mul(count) else { return Err(check(usize::MAX).unwrap_err()) };
        Ok(Self { starts: try_filled(0, count)?, weights: try_filled(0.0, total)?, width })
    }

    fn new(
        env: Env<'_>,
        kernel: Weights,
        input: usize,
        output: usize,
        [scale, translation]: [f32; 2],
        antialias: bool,
    ) -> Result<Self> {
        let inverse = (1.0 / f64::from(scale)) as f32;
        let shift = -inverse * translation;
        let stretch = if antialias { inverse.max(1.0) } else { 1.0 };
        let (reach, factor) = (kernel.radius() * stretch, 1.0 / stretch);
        let width = (2.0 * f64::from(reach.ceil()) + 1.0).min(input as f64) as usize;
        let mut spans = Self::empty(width, output)?;
        for (position, start) in spans.starts.iter_mut().enumerate() {
            env.poll();
            let place = (position as f32 + 0.5) * inverse + shift;
            // Places outside of the image, and those that are no number, have no pixels.
            if !(0.0..=input as f32).contains(&place) {
                continue;
            }
            let within = |place: f32| (place.max(0.0) as usize).min(input - 1);
            *start = within((place - reach - 0.5).ceil());
            let end = (within((place + reach - 0.5).floor()) + 1).min(*start + width);
            let weights = &mut spans.weights[position * width..][..end - *start];
            for (weight, pixel) in weights.iter_mut().zip(*start..) {
                *weight = kernel.at(((pixel as f32 + 0.5 - place) * factor).abs());
            }
            let sum = weights.iter().fold(0.0, |sum, weight| sum + weight);
            let factor = if sum.abs() >= 1000.0 * f32::MIN_POSITIVE { 1.0 / sum } else { 0.0 };
            weights.iter_mut().for_each(|weight| *weight *= factor);
        }
        Ok(spans)
    }

    /// For each position of the input those of the output that it counts for.
    fn turned(&self, input: usize, output: usize) -> Result<Self> {
        let mut ranges = try_filled((usize::MAX, 0), input)?;
        let each = || {
            let weights = self.weights.chunks_exact(self.width.max(1)).zip(&self.starts).zip(0..output);
            weights.flat_map(|((weights, &start), to)| {
                weights.iter().enumerate().map(move |(at, &weight)| (start + at, to, weight))
            })
        };
        let each = || each().filter(|&(from, _, weight)| weight != 0.0 && from < input);
        for (from, to, _) in each() {
            let (first, last) = ranges[from];
            ranges[from] = (to.min(first), to.max(last));
        }
        let width = ranges.iter().filter(|range| range.0 != usize::MAX).map(|range| range.1 - range.0 + 1).max();
        let mut turned = Self::empty(width.unwrap_or(0), input)?;
        for (start, range) in turned.starts.iter_mut().zip(&ranges) {
            *start = if range.0 == usize::MAX { 0 } else { range.0 };
        }
        for (from, to, weight) in each() {
            turned.weights[from * turned.width + to - turned.starts[from]] += weight;
        }
        Ok(turned)
    }

    /// The positions that count for `at` and their weights, of an axis of `extent`.
    fn of(&self, at: usize, extent: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let start = self.starts[at];
        let weights = &self.weights[at * self.width..][..self.width.min(extent - start)];
        weights.iter().enumerate().map(move |(offset, &weight)| (start + offset, weight))
    }
}

/// Sums over the rows of images of this many rows, columns and channels, then over the columns.
fn gather(
    env: &dyn KernelEnv,
    images: &[f32],
    [rows, columns, channels]: [usize; 3],
    [by_row, by_column]: &[Spans; 2],
    out: &mut [f32],
) -> Result<()> {
    let (out_rows, out_columns) = (by_row.starts.len(), by_column.starts.len());
    let line = columns * channels;
    for_each_row(env, out, out_columns * channels, GRAIN, &|row, out| {
        let (image, row) = (row / out_rows, row % out_rows);
        // bounded: a row of the input
        let mut sums = vec![0f32; line];
        for (y, weight) in by_row.of(row, rows) {
            let values = &images[(image * rows + y) * line..][..line];
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        }
        for (x, out) in out.chunks_exact_mut(channels).enumerate() {
            out.fill(0.0);
            for (column, weight) in by_column.of(x, columns) {
                let values = &sums[column * channels..][..channels];
                out.iter_mut().zip(values).for_each(|(out, value)| *out += weight * value);
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_with, run};

    fn image(values: &[f32]) -> Tensor {
        Tensor::from_vec([1, 1, values.len(), 1], values.to_vec()).unwrap()
    }

    fn inputs(values: &[f32], columns: i32, scale: f32, translation: f32) -> [Tensor; 4] {
        [image(values), [1, columns].into(), [1.0, scale].into(), [0.0, translation].into()]
    }

    #[test]
    fn scaled_by_two_and_moved_by_one() {
        let attrs = [("kernel_type", "triangle".into())];
        let expected = image(&[0.0, 1.0, 1.25, 1.75, 2.0]);
        check_with("ScaleAndTranslate", &attrs, inputs(&[1.0, 2.0], 5, 2.0, 1.0), expected);
    }

    #[test]
    fn unknown_kernels_and_scales_below_zero_are_errors() {
        let wrong = [("kernel_type", "sinc".into())];
        assert!(run("ScaleAndTranslate", &wrong, inputs(&[1.0], 2, 1.0, 0.0).to_vec()).is_err());
        assert!(run("ScaleAndTranslate", &[], inputs(&[1.0], 2, 0.0, 0.0).to_vec()).is_err());
    }

    #[test]
    fn gradients_go_back_by_the_same_weights() {
        let attrs = [("kernel_type", "triangle".into())];
        let [original, _, scale, translation] = inputs(&[1.0, 2.0], 5, 2.0, 1.0);
        let grads = image(&[1.0; 5]);
        let expected = image(&[2.0, 2.0]);
        check_with("ScaleAndTranslateGrad", &attrs, [grads, original, scale, translation], expected);
    }
}
