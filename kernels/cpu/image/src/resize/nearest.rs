//! `ResizeNearestNeighbor` and its gradient.

use oplink::prelude::*;
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_ops::image::geometry::{Alignment, ResizeExtents, nearest_gradient_shape};
use oplink_ops::image::{ResizeNearestNeighbor, ResizeNearestNeighborGrad};

use super::GRAIN;
use crate::pixel::Pixel;

/// `ResizeNearestNeighbor` of every dtype, by copies of whole pixels.
#[kernel(ResizeNearestNeighbor, device = CPU, T = any, host_memory = [size])]
pub fn resize_nearest_neighbor_cpu(
    images: &Tensor,
    size: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut resized_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment::new(align_corners, half_pixel_centers)?;
    let e = ResizeExtents::of_nearest(images, size)?;
    let rows = alignment.nearest(e.input[0], e.output[0])?;
    let columns = alignment.nearest(e.input[1], e.output[1])?;
    let out = resized_images.allocate(e.output_shape())?;
    let pixel = e.channels * out.dtype().size().unwrap_or(1);
    let (images, out) = (images.as_bytes()?, out.as_mut_bytes()?);
    if out.is_empty() {
        return Ok(());
    }
    for_each_row(&env, out, e.output[1] * pixel, GRAIN, &|row, out| {
        let line = row / e.output[0] * e.input[0] + rows[row % e.output[0]];
        let line = &images[line * e.input[1] * pixel..][..e.input[1] * pixel];
        for (out, &column) in out.chunks_exact_mut(pixel).zip(&columns) {
            out.copy_from_slice(&line[column * pixel..][..pixel]);
        }
    });
    Ok(())
}

/// `ResizeNearestNeighborGrad` of every number.
#[kernel(ResizeNearestNeighborGrad, device = CPU, T = [u8, i8, i32, floats], host_memory = [size])]
pub fn resize_nearest_neighbor_grad_cpu<T: Pixel>(
    grads: &Tensor,
    size: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment { align_corners, half_pixel_centers };
    let e = nearest_gradient_shape(grads, size)?;
    let ([out_rows, out_columns], [rows, columns], channels) = (e.input, e.output, e.channels);
    let out = output.allocate(e.input_shape())?.as_mut_slice::<T>()?;
    out.fill(T::ZERO);
    if out.is_empty() {
        return Ok(());
    }
    let (ys, xs) = (alignment.nearest(out_rows, rows)?, alignment.nearest(out_columns, columns)?);
    let grads = grads.as_slice::<T>()?;
    for_each_row(&env, out, out_rows * out_columns * channels, GRAIN, &|image, out| {
        let grads = &grads[image * rows * columns * channels..];
        for (y, row) in ys.iter().enumerate() {
            poll(&env);
            for (x, column) in xs.iter().enumerate() {
                let grads = &grads[(y * columns + x) * channels..][..channels];
                let out = &mut out[(row * out_columns + column) * channels..][..channels];
                out.iter_mut().zip(grads).for_each(|(out, &grad)| *out = out.plus(grad));
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check_with;

    #[test]
    fn pixels_are_those_of_tensorflow() {
        let image = || Tensor::from_vec([1, 1, 3, 1], vec![1u8, 2, 3]).unwrap();
        let cases = [([false, false], [1, 1, 2, 3]), ([true, false], [1, 2, 2, 3]), ([false, true], [1, 2, 2, 3u8])];
        for ([corners, halves], expected) in cases {
            let attrs = [("align_corners", corners.into()), ("half_pixel_centers", halves.into())];
            let expected = Tensor::from_vec([1, 1, 4, 1], expected.to_vec()).unwrap();
            check_with("ResizeNearestNeighbor", &attrs, [image(), Tensor::from([1i32, 4])], expected);
        }
    }

    #[test]
    fn gradients_add_up_where_pixels_came_from() {
        let grads = Tensor::from_vec([1, 1, 4, 1], vec![1i32, 2, 4, 8]).unwrap();
        let expected = Tensor::from_vec([1, 1, 2, 1], vec![3i32, 12]).unwrap();
        check_with("ResizeNearestNeighborGrad", &[], [grads, Tensor::from([1i32, 2])], expected);
    }
}
