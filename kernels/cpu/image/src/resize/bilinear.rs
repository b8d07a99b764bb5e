//! `ResizeBilinear` and its gradient.

use oplink::KernelEnv;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_ops::image::geometry::{Alignment, Between, ResizeExtents};
use oplink_ops::image::{ResizeBilinear, ResizeBilinearGrad};

use super::GRAIN;
use crate::floats::floats;

/// `ResizeBilinear` of every dtype.
#[kernel(ResizeBilinear, device = CPU, T = any, host_memory = [size])]
pub fn resize_bilinear_cpu(
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
    let values = floats(images)?;
    if e.input == e.output {
        out.copy_from_slice(&values);
    } else if !out.is_empty() {
        resize(&env, &values, e, alignment, out)?;
    }
    Ok(())
}

fn resize(env: &dyn KernelEnv, images: &[f32], e: ResizeExtents, alignment: Alignment, out: &mut [f32]) -> Result<()> {
    let rows = alignment.between(e.input[0], e.output[0])?;
    let columns = alignment.between(e.input[1], e.output[1])?;
    for_each_row(env, out, e.output_row(), GRAIN, &|row, out| {
        let (image, row) = (row / e.output[0], rows[row % e.output[0]]);
        let line = |row: usize| &images[(image * e.input[0] + row) * e.input_row()..][..e.input_row()];
        let lines = [line(row.lower), line(row.upper)];
        match e.channels {
            1 => resize_row::<1>(lines, row.part, &columns, out),
            3 => resize_row::<3>(lines, row.part, &columns, out),
            4 => resize_row::<4>(lines, row.part, &columns, out),
            channels => resize_wide_row(lines, row.part, &columns, channels, out),
        }
    });
    Ok(())
}

#[inline(always)]
fn interpolated([top, bottom]: [[f32; 2]; 2], column: f32, row: f32) -> f32 {
    let top = top[0] + (top[1] - top[0]) * column;
    let bottom = bottom[0] + (bottom[1] - bottom[0]) * column;
    top + (bottom - top) * row
}

fn resize_row<const CHANNELS: usize>([top, bottom]: [&[f32]; 2], part: f32, columns: &[Between], out: &mut [f32]) {
    let (top, bottom) = (top.as_chunks::<CHANNELS>().0, bottom.as_chunks::<CHANNELS>().0);
    for (out, column) in out.as_chunks_mut::<CHANNELS>().0.iter_mut().zip(columns) {
        let (top, bottom) = ([top[column.lower], top[column.upper]], [bottom[column.lower], bottom[column.upper]]);
        *out = std::array::from_fn(|c| {
            interpolated([[top[0][c], top[1][c]], [bottom[0][c], bottom[1][c]]], column.part, part)
        });
    }
}

fn resize_wide_row([top, bottom]: [&[f32]; 2], part: f32, columns: &[Between], channels: usize, out: &mut [f32]) {
    for (out, column) in out.chunks_exact_mut(channels).zip(columns) {
        let (lower, upper) = (column.lower * channels, column.upper * channels);
        let top = (&top[lower..][..channels], &top[upper..][..channels]);
        let bottom = (&bottom[lower..][..channels], &bottom[upper..][..channels]);
        for (c, out) in out.iter_mut().enumerate() {
            *out = interpolated([[top.0[c], top.1[c]], [bottom.0[c], bottom.1[c]]], column.part, part);
        }
    }
}

/// `ResizeBilinearGrad` of every float.
#[kernel(ResizeBilinearGrad, device = CPU, T = any)]
pub fn resize_bilinear_grad_cpu(
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
    let out = output.allocate(e.input_shape())?;
    match out.dtype() {
        DType::Float => spread(&env, grads, e, alignment, out.as_mut_slice::<f32>()?, |v| v),
        DType::Double => spread(&env, grads, e, alignment, out.as_mut_slice::<f64>()?, f64::from),
        dtype => {
            let mut sums = try_filled(0f32, out.num_elements())?;
            spread(&env, grads, e, alignment, &mut sums, |v| v)?;
            match dtype {
                DType::Half => round(&sums, out.as_mut_slice()?, f16::from_f32),
                _ => round(&sums, out.as_mut_slice()?, bf16::from_f32),
            }
            Ok(())
        }
    }
}

fn round<T>(sums: &[f32], out: &mut [T], rounded: impl Fn(f32) -> T) {
    out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = rounded(sum));
}

/// Adds each gradient to the four pixels that its pixel was made of, in the order of the gradients; images are shared
/// out to the threads.
fn spread<S: Number + Send>(
    env: &dyn KernelEnv,
    grads: &[f32],
    e: ResizeExtents,
    alignment: Alignment,
    out: &mut [S],
    number: impl Fn(f32) -> S + Sync,
) -> Result<()> {
    let rows = alignment.between(e.input[0], e.output[0])?;
    let columns = alignment.between(e.input[1], e.output[1])?;
    out.fill(S::zero());
    let image = e.input[0] * e.input_row();
    if out.is_empty() {
        return Ok(());
    }
    for_each_row(env, out, image, GRAIN, &|image, out| {
        let grads = &grads[image * e.output[0] * e.output_row()..][..e.output[0] * e.output_row()];
        for (row, grads) in rows.iter().zip(grads.chunks_exact(e.output_row())) {
            poll(env);
            for (column, grads) in columns.iter().zip(grads.chunks_exact(e.channels)) {
                let corners = [
                    (row.lower, column.lower, 1.0 - row.part, 1.0 - column.part),
                    (row.lower, column.upper, 1.0 - row.part, column.part),
                    (row.upper, column.lower, row.part, 1.0 - column.part),
                    (row.upper, column.upper, row.part, column.part),
                ];
                for (y, x, by_row, by_column) in corners {
                    let out = &mut out[(y * e.input[1] + x) * e.channels..][..e.channels];
                    for (out, grad) in out.iter_mut().zip(grads) {
                        *out = *out + number(grad * by_row * by_column);
                    }
                }
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{Threads, check_error, check_with, run_in};

    fn image(values: &[f32]) -> Tensor {
        Tensor::from_vec([1, 2, 2, 1], values.to_vec()).unwrap()
    }

    #[test]
    fn values_between_pixels_are_those_of_tensorflow() {
        let size = || Tensor::from([2i32, 3]);
        let cases = [
            ([false, false], [1.0, 5.0 / 3.0, 2.0, 3.0, 11.0 / 3.0, 4.0f32]),
            ([true, false], [1.0, 1.5, 2.0, 3.0, 3.5, 4.0]),
            ([false, true], [1.0, 1.5, 2.0, 3.0, 3.5, 4.0]),
        ];
        for ([corners, halves], expected) in cases {
            let attrs = [("align_corners", corners.into()), ("half_pixel_centers", halves.into())];
            let expected = Tensor::from_vec([1, 2, 3, 1], expected.to_vec()).unwrap();
            check_with("ResizeBilinear", &attrs, [image(&[1.0, 2.0, 3.0, 4.0]), size()], expected);
        }
    }

    #[test]
    fn wrong_sizes_and_attrs_are_errors() {
        check_error("ResizeBilinear", [image(&[0.0; 4]), Tensor::from([0i32, 3])], "size must be > 0");
        check_error("ResizeBilinear", [image(&[0.0; 4]), Tensor::from([3i32])], "size must have shape [2]");
        check_error("ResizeBilinear", [Tensor::from([1f32]), Tensor::from([3i32, 3])], "rank 4");
    }

    #[test]
    fn threads_change_nothing() {
        let count = 2 * 30 * 41 * 5;
        let values: Vec<f32> = (0..count).map(|i| (i % 97) as f32).collect();
        let images = Tensor::from_vec([2, 30, 41, 5], values).unwrap();
        let run = |threads| {
            let inputs = vec![images.clone(), Tensor::from([77i32, 90])];
            run_in(&Threads(threads), "ResizeBilinear", &[], inputs).unwrap().remove(0)
        };
        assert_eq!(run(1).as_bytes().unwrap(), run(3).as_bytes().unwrap());
    }

    #[test]
    fn gradients_are_shared_out_to_the_corners() {
        let grads = Tensor::from_vec([1, 1, 3, 1], vec![1f32, 1.0, 1.0]).unwrap();
        let original = Tensor::from_vec([1, 1, 2, 1], vec![0f64; 2]).unwrap();
        let attrs = [("align_corners", true.into())];
        let expected = Tensor::from_vec([1, 1, 2, 1], vec![1.5f64, 1.5]).unwrap();
        check_with("ResizeBilinearGrad", &attrs, [grads, original], expected);
    }
}
