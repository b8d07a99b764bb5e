//! `ResizeBilinearGrad` and `ResizeNearestNeighborGrad`: each pixel of the images sums, in order, the gradients of the
//! pixels that it is in. 16-bit floats are summed in f32.

use oplink::device::DeviceContext;
use oplink::gpu::grid_stride;
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::image::geometry::{Alignment, Between, ResizeExtents, nearest_gradient_shape};
use oplink_ops::image::{ResizeBilinearGrad, ResizeNearestNeighborGrad};

use super::interpolation::{NOWHERE, Resize, between, table_of_gradient};
use crate::movement::words;

/// `ResizeBilinearGrad` in the device's memory.
///
/// # Errors
/// Attrs that exclude each other; extents that do not fit; the device refuses.
#[kernel(ResizeBilinearGrad, device = GPU, T = [floats])]
pub fn resize_bilinear_grad_gpu(
    grads: &Tensor,
    original_image: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment::new(align_corners, half_pixel_centers)?;
    let e = ResizeExtents::of_gradient(grads, original_image)?;
    let out = output.allocate(e.input_shape())?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let axis = |axis: usize| alignment.between(e.input[axis], e.output[axis]);
    let device = env.device()?;
    let places = &table_of_gradient(device, [&axis(0)?, &axis(1)?], e.input)?;
    let launch = if out.dtype() == DType::Double { corners_in_double::LAUNCH } else { corners::LAUNCH };
    launch(device, grads, places, out, Resize::new(&e)?)
}

/// `ResizeNearestNeighborGrad` in the device's memory.
///
/// # Errors
/// Extents that do not fit; the device refuses.
#[kernel(ResizeNearestNeighborGrad, device = GPU, T = [floats], host_memory = [size])]
pub fn resize_nearest_neighbor_grad_gpu(
    grads: &Tensor,
    size: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment { align_corners, half_pixel_centers };
    let e = nearest_gradient_shape(grads, size)?;
    let out = output.allocate(e.input_shape())?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let axis = |axis: usize| -> Result<Vec<Between>> {
        let nearest = alignment.nearest(e.input[axis], e.output[axis])?;
        try_collect(nearest.into_iter().map(|lower| Between { lower, upper: NOWHERE, part: 0.0 }))
    };
    let device = env.device()?;
    let places = &table_of_gradient(device, [&axis(0)?, &axis(1)?], e.input)?;
    let launch = if out.dtype() == DType::Double { pixels_in_double::LAUNCH } else { pixels::LAUNCH };
    launch(device, grads, places, out, Resize::new(&e)?)
}

/// Starts a program over gradients, places, output and extents.
type Launch = fn(&dyn DeviceContext, &Tensor, &Tensor, &Tensor, Resize) -> Result<()>;

/// Writes a program with a thread for each value of the images, that adds up what `load` makes of each gradient, in
/// the type after `in`.
macro_rules! gradient_program {
    (
        $(#[$doc:meta])*
        $name:ident <$($generic:ident: $bound:ident = [$($ty:ident),*])?> ($grad:ident => $out:ident) in $sum:ident,
        |$dtype:ident| [$($pick:tt)*],
        load |$value:ident, $down:ident, $along:ident| $load:expr,
        finish |$total:ident| $finish:expr
    ) => {
        $(#[$doc])*
        #[allow(unused_variables, reason = "the nearest pixel counts as a whole")]
        #[oplink::program($($generic = [$($ty),*],)? block = 256, uses = [between])]
        fn $name $(<$generic: $bound>)? (grads: &[$grad], places: &[u32], out: &mut [$out], resize: Resize, count: u32) {
            let by_rows = 3 * (resize.out_rows + resize.out_columns);
            let by_columns = by_rows + 2 * (resize.rows + 1);
            for at in grid_stride(count) {
                let (channel, pixel) = (at % resize.channels, at / resize.channels);
                let (column, row) = (pixel % resize.columns, pixel / resize.columns % resize.rows);
                let image = pixel / resize.columns / resize.rows * resize.out_rows;
                let first_row = places[(by_rows + row) as usize];
                let end_row = places[(by_rows + resize.rows + 1 + row + 1) as usize];
                let first_column = places[(by_columns + column) as usize];
                let end_column = places[(by_columns + resize.columns + 1 + column + 1) as usize];
                let mut $total: $sum = 0.0;
                for y in first_row..end_row {
                    let (top, bottom, y_part) = between(places, y);
                    for x in first_column..end_column {
                        let (left, right, x_part) = between(places, resize.out_rows + x);
                        let from = ((image + y) * resize.out_columns + x) * resize.channels + channel;
                        let $value = grads[from as usize];
                        for corner in 0..4_u32 {
                            let is_row = if corner / 2 == 0 { top == row } else { bottom == row };
                            let is_column = if corner % 2 == 0 { left == column } else { right == column };
                            if is_row && is_column {
                                let $down: f32 = if corner / 2 == 0 { 1.0 - y_part } else { y_part };
                                let $along: f32 = if corner % 2 == 0 { 1.0 - x_part } else { x_part };
                                let part: $sum = $load;
                                $total += part;
                            }
                        }
                    }
                }
                out[at as usize] = $finish;
            }
        }

        impl $name<'_> {
            const LAUNCH: Launch = |device, grads, places, out, resize| {
                let (count, $dtype) = (out.num_elements(), out.dtype());
                $name { grads, places, out, resize, count: words(count)? }.launch(device, $($pick)* $name::blocks(count))
            };
        }
    };
}

gradient_program! {
    /// Gradients shared out to the four pixels around a place.
    corners <T: Float = [f16, bf16, f32]> (f32 => T) in f32, |dtype| [dtype,],
    load |value, down, along| value * down * along,
    finish |total| T::from_f32(total)
}

gradient_program! {
    /// As [`corners`], summed in f64.
    corners_in_double <> (f32 => f64) in f64, |_dtype| [],
    load |value, down, along| (value * down * along) as f64,
    finish |total| total
}

gradient_program! {
    /// Gradients of nearest pixels.
    pixels <T: Float = [f16, bf16, f32]> (T => T) in f32, |dtype| [dtype,],
    load |value, down, along| value.to_f32(),
    finish |total| T::from_f32(total)
}

gradient_program! {
    /// As [`pixels`], summed in f64.
    pixels_in_double <> (f64 => f64) in f64, |_dtype| [],
    load |value, down, along| value,
    finish |total| total
}
