//! `ResizeBicubic` and its gradient.

use oplink::KernelEnv;
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_support::parallel::{for_each_chunk, for_each_row, poll};
use oplink_ops::image::geometry::{Alignment, ResizeExtents};
use oplink_ops::image::{ResizeBicubic, ResizeBicubicGrad};

use super::GRAIN;
use crate::floats::floats;

/// Steps between two pixels at which the polynomials are taken.
const STEPS: f32 = 1024.0;

/// `ResizeBicubic` of every dtype.
#[kernel(ResizeBicubic, device = CPU, T = any, host_memory = [size])]
pub fn resize_bicubic_cpu(
    images: &Tensor,
    size: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut resized_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment::new(align_corners, half_pixel_centers)?;
    let e = ResizeExtents::new(images, size)?;
    let out = resized_images.allocate(e.output_shape())?.as_mut_slice::<f32>()?;
    if !out.is_empty() {
        resize(&env, &floats(images)?, e, alignment, out)?;
    }
    Ok(())
}

/// The four pixels along an axis that a place is made of, and what each counts.
#[derive(Clone, Copy)]
struct Taps {
    positions: [usize; 4],
    weights: [f32; 4],
}

/// Keys' polynomials at `x` and `1 + x`.
fn polynomials(a: f64, x: f32) -> [f32; 2] {
    let inner = f64::from(x);
    let outer = f64::from(x + 1.0);
    [
        (((a + 2.0) * inner - (a + 3.0)) * inner * inner + 1.0) as f32,
        (((a * outer - 5.0 * a) * outer + 8.0 * a) * outer - 4.0 * a) as f32,
    ]
}

fn taps(alignment: Alignment, position: usize, scale: f32, extent: usize) -> Taps {
    let place = alignment.place(position, scale);
    let first = place.floor() as i64;
    let step = ((place - first as f32) * STEPS).round_ties_even() / STEPS;
    let a = if alignment.half_pixel_centers { -0.5 } else { -0.75 };
    let ([inner, outer], [inner_after, outer_after]) = (polynomials(a, step), polynomials(a, 1.0 - step));
    let mut weights = [outer, inner, inner_after, outer_after];
    let places = std::array::from_fn::<_, 4, _>(|tap| first - 1 + tap as i64);
    let positions = places.map(|place| place.clamp(0, extent as i64 - 1) as usize);
    if alignment.half_pixel_centers {
        for tap in 0..4 {
            if positions[tap] as i64 != places[tap] {
                weights[tap] = 0.0;
            }
        }
        let sum = weights[0] + weights[1] + weights[2] + weights[3];
        if sum.abs() >= 1000.0 * f32::MIN_POSITIVE {
            let factor = 1.0 / sum;
            weights.iter_mut().for_each(|weight| *weight *= factor);
        }
    }
    Taps { positions, weights }
}

/// Those of all positions of an axis of the output.
fn all_taps(alignment: Alignment, input: usize, output: usize) -> Result<Vec<Taps>> {
    let scale = alignment.scale(input, output);
    try_collect((0..output).map(|position| taps(alignment, position, scale, input)))
}

#[inline(always)]
fn weighted(values: [f32; 4], weights: [f32; 4]) -> f32 {
    values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2] + values[3] * weights[3]
}

/// Rows of the input are added up first, then the columns of the outcome.
fn resize(env: &dyn KernelEnv, images: &[f32], e: ResizeExtents, alignment: Alignment, out: &mut [f32]) -> Result<()> {
    let rows = all_taps(alignment, e.input[0], e.output[0])?;
    let columns = all_taps(alignment, e.input[1], e.output[1])?;
    for_each_chunk(env, out, GRAIN, e.output_row(), &|start, out| {
        // bounded: a row of the input
        let mut sums = vec![0f32; e.input_row()];
        for (at, out) in out.chunks_exact_mut(e.output_row()).enumerate() {
            let row = start / e.output_row() + at;
            let (image, row) = (row / e.output[0], &rows[row % e.output[0]]);
            let line =
                |tap: usize| &images[(image * e.input[0] + row.positions[tap]) * e.input_row()..][..e.input_row()];
            let lines = [line(0), line(1), line(2), line(3)];
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum = weighted(lines.map(|line| line[at]), row.weights);
            }
            for (out, column) in out.chunks_exact_mut(e.channels).zip(&columns) {
                let pixels = column.positions.map(|at| &sums[at * e.channels..][..e.channels]);
                for (c, out) in out.iter_mut().enumerate() {
                    *out = weighted(pixels.map(|pixel| pixel[c]), column.weights);
                }
            }
        }
    });
    Ok(())
}

/// `ResizeBicubicGrad` in single and double precision.
#[kernel(ResizeBicubicGrad, device = CPU, T = [f32, f64])]
pub fn resize_bicubic_grad_cpu<T: Real + From<f32> + Send>(
    grads: &Tensor,
    original_image: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment::new(align_corners, half_pixel_centers)?;
    let e = ResizeExtents::of_gradient(grads, original_image)?;
    let grads = grads.as_slice::<f32>()?;
    let out = output.allocate(e.input_shape())?.as_mut_slice::<T>()?;
    let rows = all_taps(alignment, e.input[0], e.output[0])?;
    let columns = all_taps(alignment, e.input[1], e.output[1])?;
    out.fill(T::zero());
    if out.is_empty() {
        return Ok(());
    }
    for_each_row(&env, out, e.input[0] * e.input_row(), GRAIN, &|image, out| {
        let grads = &grads[image * e.output[0] * e.output_row()..][..e.output[0] * e.output_row()];
        for (row, grads) in rows.iter().zip(grads.chunks_exact(e.output_row())) {
            poll(&env);
            for (column, grads) in columns.iter().zip(grads.chunks_exact(e.channels)) {
                spread(e, row, column, grads, out);
            }
        }
    });
    Ok(())
}

/// Adds the gradient of one pixel to the sixteen that it was made of.
fn spread<T: Real + From<f32>>(e: ResizeExtents, row: &Taps, column: &Taps, grads: &[f32], out: &mut [T]) {
    for (y, &by_row) in row.positions.iter().zip(&row.weights) {
        for (x, &by_column) in column.positions.iter().zip(&column.weights) {
            let out = &mut out[(y * e.input[1] + x) * e.channels..][..e.channels];
            for (out, &grad) in out.iter_mut().zip(grads) {
                *out = *out + T::from(grad) * T::from(by_row) * T::from(by_column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{assert_close, run};

    #[test]
    fn values_between_pixels_are_those_of_tensorflow() {
        let image = Tensor::from_vec([1, 1, 3, 1], vec![1u8, 3, 7]).unwrap();
        let cases = [
            (false, [1.0, 1.625, 3.0, 5.1875, 7.0, 7.375f32]),
            (true, [0.823_529_48, 1.291_970_8, 2.282_442_8, 4.022_901, 6.284_671_8, 7.352_941_5]),
        ];
        for (halves, expected) in cases {
            let inputs = vec![image.clone(), Tensor::from([1i32, 6])];
            let out = run("ResizeBicubic", &[("half_pixel_centers", halves.into())], inputs).unwrap();
            assert_close(&out[0], &Tensor::from_vec([1, 1, 6, 1], expected.to_vec()).unwrap(), 4.0);
        }
    }
}
