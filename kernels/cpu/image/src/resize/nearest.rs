//! `ResizeNearestNeighbor` and its gradient.

use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_ops::image::{ResizeNearestNeighbor, ResizeNearestNeighborGrad};

use super::{Alignment, Extents, GRAIN};
use crate::floats::two_extents;
use crate::pixel::Pixel;

/// Extents from which on not every position is a number of single precision.
const TOO_LARGE: usize = 1 << 24;

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
    let e = Extents::new(images, size)?;
    ensure!(e.input.iter().all(|&extent| extent < TOO_LARGE), "images must have less than 2^24 rows and columns");
    let rows = nearest(alignment, e.input[0], e.output[0])?;
    let columns = nearest(alignment, e.input[1], e.output[1])?;
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

/// The position of the input nearest to each of the output.
fn nearest(alignment: Alignment, input: usize, output: usize) -> Result<Vec<usize>> {
    let scale = alignment.scale(input, output);
    try_collect((0..output).map(|position| {
        let place = match alignment.half_pixel_centers {
            true => (position as f32 + 0.5) * scale,
            false => position as f32 * scale,
        };
        let place = if alignment.align_corners { place.round() } else { place.floor() };
        (place.max(0.0) as usize).min(input - 1)
    }))
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
    let &[batch, rows, columns, channels] = grads.shape().dims() else {
        bail!("grads must be of rank 4, their shape is {}", grads.shape())
    };
    let [out_rows, out_columns] = two_extents("size", size)?;
    let out = output.allocate([batch, out_rows, out_columns, channels])?.as_mut_slice::<T>()?;
    out.fill(T::ZERO);
    if out.is_empty() {
        return Ok(());
    }
    let (ys, xs) = (nearest(alignment, out_rows, rows)?, nearest(alignment, out_columns, columns)?);
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
