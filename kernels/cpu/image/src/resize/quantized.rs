//! `QuantizedResizeBilinear`: images of quantized numbers, whose range stays.

use oplink::element::{QInt32, QUInt8};
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_support::parallel::{for_each_row, poll};
use oplink_ops::image::QuantizedResizeBilinear;
use oplink_ops::image::geometry::{Alignment, ResizeExtents};

use super::GRAIN;

/// Elements that are interpolated in steps of their own.
pub trait Interpolated: Element + Copy {
    /// How far a place is from the first of two pixels.
    type Part: Copy + Send + Sync;

    /// A part between 0 and 1, rounded to a step.
    fn part(part: f32) -> Self::Part;

    /// The element among four, of an upper and a lower row; parts are those of columns and of rows.
    fn interpolated(rows: [[Self; 2]; 2], parts: [Self::Part; 2]) -> Self;
}

/// Interpolates among integers in steps of `1 / one`.
fn in_steps([upper, lower]: [[i64; 2]; 2], [along, down]: [i64; 2], one: i64) -> i64 {
    let between = |[first, last]: [i64; 2]| first * one + (last - first) * along;
    let (upper, lower) = (between(upper), between(lower));
    (upper + (lower - upper) / one * down + one / 2) / one
}

impl Interpolated for QUInt8 {
    type Part = i64;

    fn part(part: f32) -> i64 {
        (part * 128.0) as i64
    }

    fn interpolated(rows: [[Self; 2]; 2], parts: [i64; 2]) -> Self {
        Self(in_steps(rows.map(|row| row.map(|value| i64::from(value.0))), parts, 1 << 7) as u8)
    }
}

impl Interpolated for QInt32 {
    type Part = i64;

    fn part(part: f32) -> i64 {
        (part * (1 << 30) as f32) as i64
    }

    fn interpolated(rows: [[Self; 2]; 2], parts: [i64; 2]) -> Self {
        // TensorFlow takes integers as floats first.
        Self(in_steps(rows.map(|row| row.map(|value| value.0 as f32 as i64)), parts, 1 << 30) as i32)
    }
}

impl Interpolated for f32 {
    type Part = Self;

    fn part(part: f32) -> f32 {
        part
    }

    fn interpolated([upper, lower]: [[f32; 2]; 2], [along, down]: [f32; 2]) -> f32 {
        let between = |[first, last]: [f32; 2]| first + (last - first) * along;
        let (upper, lower) = (between(upper), between(lower));
        upper + (lower - upper) * down
    }
}

/// `QuantizedResizeBilinear` of bytes, 32-bit numbers and floats.
#[kernel(QuantizedResizeBilinear, device = CPU, T = [QUInt8, QInt32, f32], host_memory = [size])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantized_resize_bilinear_cpu<T: Interpolated>(
    images: &Tensor,
    size: &Tensor,
    min: &Tensor,
    max: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut resized_images: OutputSlot<'_>,
    mut out_min: OutputSlot<'_>,
    mut out_max: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    for (name, end) in [("min", min), ("max", max)] {
        ensure!(end.rank() == 0, "{name} must be a scalar, its shape is {}", end.shape());
    }
    let e = ResizeExtents::new(images, size)?;
    let out = resized_images.allocate(e.output_shape())?.as_mut_slice::<T>()?;
    let values = images.as_slice::<T>()?;
    // Here both attrs may be set.
    let alignment = Alignment { align_corners, half_pixel_centers };
    if e.input == e.output {
        out.copy_from_slice(values);
    } else if !out.is_empty() {
        let axis = |axis: usize| {
            let places = alignment.between(e.input[axis], e.output[axis])?;
            try_collect(places.iter().map(|place| ([place.lower, place.upper], T::part(place.part))))
        };
        let (rows, columns) = (axis(0)?, axis(1)?);
        for_each_row(&env, out, e.output_row(), GRAIN, &|row, out| {
            poll(&env);
            let (image, (lines, down)) = (row / e.output[0], rows[row % e.output[0]]);
            let lines = lines.map(|line| &values[(image * e.input[0] + line) * e.input_row()..][..e.input_row()]);
            for (out, &(pixels, along)) in out.chunks_exact_mut(e.channels).zip(&columns) {
                for (channel, out) in out.iter_mut().enumerate() {
                    let corners = lines.map(|line| pixels.map(|pixel| line[pixel * e.channels + channel]));
                    *out = T::interpolated(corners, [along, down]);
                }
            }
        });
    }
    out_min.set(min.clone());
    out_max.set(max.clone());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    fn resized(image: Tensor, size: [i32; 2], [corners, halves]: [bool; 2]) -> Result<Vec<Tensor>> {
        let attrs = [("align_corners", corners.into()), ("half_pixel_centers", halves.into())];
        run("QuantizedResizeBilinear", &attrs, vec![image, size.into(), (-1f32).into(), 1f32.into()])
    }

    fn bytes(rows: usize) -> Tensor {
        Tensor::from_vec([1, rows, 3, 1], (0..rows * 3).map(|at| QUInt8(at as u8 * 20)).collect()).unwrap()
    }

    #[test]
    fn bytes_are_those_of_tensorflow() {
        for (how, expected) in [
            ([false, false], [0, 12, 24, 36, 40, 45, 57, 69, 81, 85, 90, 102, 114, 126, 130, 120, 132, 144, 156, 160]),
            ([true, false], [0, 10, 20, 30, 40, 40, 50, 60, 70, 80, 80, 90, 100, 110, 120, 120, 130, 140, 150, 160]),
            ([false, true], [0, 8, 20, 32, 40, 38, 45, 58, 69, 78, 83, 90, 103, 114, 123, 120, 128, 140, 152, 160]),
            ([true, true], [0, 5, 15, 25, 35, 30, 35, 45, 55, 65, 70, 75, 85, 95, 105, 110, 115, 125, 135, 145]),
        ] {
            let out = resized(bytes(3), [4, 5], how).unwrap();
            assert_eq!(out[0].as_slice::<QUInt8>().unwrap(), expected.map(QUInt8), "{how:?}");
            assert_eq!([&out[1], &out[2]].map(|end| end.to_scalar::<f32>().unwrap()), [-1.0, 1.0]);
        }
        let out = resized(bytes(3), [3, 3], [false, true]).unwrap();
        assert_eq!(out[0].as_slice::<QUInt8>().unwrap(), bytes(3).as_slice::<QUInt8>().unwrap());
    }

    #[test]
    fn wide_numbers_and_floats_are_those_of_tensorflow() {
        let wide =
            |factor: i32| Tensor::from_vec([1, 3, 3, 1], (0..9).map(|at| QInt32(at * 20 * factor)).collect()).unwrap();
        let out = resized(wide(-10_000_019), [2, 2], [true, false]).unwrap();
        let expected = [0, -400_000_767, -1_200_002_303, -1_600_003_071].map(QInt32);
        assert_eq!(out[0].as_slice::<QInt32>().unwrap(), expected);
        let out = resized(wide(10_000_019), [4, 5], [false, true]).unwrap();
        let expected = [0, 80_000_161, 200_000_384, 320_000_643, 400_000_768, 375_000_720].map(QInt32);
        assert_eq!(out[0].as_slice::<QInt32>().unwrap()[..6], expected);
        let floats = Tensor::from_vec([1, 3, 3, 1], (0..9).map(|at| at as f32 * 20.0).collect()).unwrap();
        let out = resized(floats, [4, 5], [false, true]).unwrap().remove(0);
        let first = Tensor::from_slice(&out.as_slice::<f32>().unwrap()[..6]);
        assert_close(&first, &Tensor::from([0f32, 8.000_001, 20.0, 32.000_004, 40.0, 37.5]), 1.0);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        assert!(resized(bytes(3), [0, 3], [false; 2]).is_err());
        assert!(resized(bytes(0), [3, 3], [false; 2]).is_err());
        assert!(resized(Tensor::from_vec([3, 3], vec![0f32; 9]).unwrap(), [3, 3], [false; 2]).is_err());
    }
}
