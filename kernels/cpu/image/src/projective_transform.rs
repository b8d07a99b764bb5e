//! `ImageProjectiveTransformV2` and `ImageProjectiveTransformV3`.

use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::geometry::two_extents;
use oplink_ops::image::{ImageProjectiveTransformV2, ImageProjectiveTransformV3, ImageProjectiveTransformV3Inputs};

use crate::pixel::Pixel;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 12;

/// `ImageProjectiveTransformV2` of every dtype.
#[kernel(ImageProjectiveTransformV2, device = CPU, dtype = any, host_memory = [output_shape])]
pub fn image_projective_transform_v2_cpu(
    images: &Tensor,
    transforms: &Tensor,
    output_shape: &Tensor,
    interpolation: &[u8],
    fill_mode: &[u8],
    mut transformed_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let filling = Filling { interpolates: interpolates(interpolation)?, mode: mode(fill_mode)?, value: 0.0 };
    transform([images, transforms, output_shape], filling, &mut transformed_images, &env)
}

/// `ImageProjectiveTransformV3` of every dtype.
#[kernel(ImageProjectiveTransformV3, device = CPU, dtype = any, host_memory = [output_shape, fill_value])]
pub fn image_projective_transform_v3_cpu(
    inputs: ImageProjectiveTransformV3Inputs<'_>,
    interpolation: &[u8],
    fill_mode: &[u8],
    mut transformed_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let value = &inputs.fill_value;
    ensure!(value.rank() == 0, "fill_value must be a scalar, its shape is {}", value.shape());
    let value = value.to_scalar()?;
    let filling = Filling { interpolates: interpolates(interpolation)?, mode: mode(fill_mode)?, value };
    let tensors = [&*inputs.images, &*inputs.transforms, &*inputs.output_shape];
    transform(tensors, filling, &mut transformed_images, &env)
}

/// What becomes of places between pixels and outside of the image.
#[derive(Debug, Clone, Copy)]
struct Filling {
    interpolates: bool,
    mode: Mode,
    value: f32,
}

#[derive(Debug, Clone, Copy)]
enum Mode {
    Constant,
    Reflect,
    Wrap,
    Nearest,
}

fn interpolates(interpolation: &[u8]) -> Result<bool> {
    match interpolation {
        b"NEAREST" => Ok(false),
        b"BILINEAR" => Ok(true),
        other => bail!("interpolation must be NEAREST or BILINEAR, it is `{}`", String::from_utf8_lossy(other)),
    }
}

fn mode(fill_mode: &[u8]) -> Result<Mode> {
    Ok(match fill_mode {
        b"CONSTANT" => Mode::Constant,
        b"REFLECT" => Mode::Reflect,
        b"WRAP" => Mode::Wrap,
        b"NEAREST" => Mode::Nearest,
        other => {
            bail!("fill_mode must be CONSTANT, REFLECT, WRAP or NEAREST, it is `{}`", String::from_utf8_lossy(other))
        }
    })
}

fn transform(tensors: [&Tensor; 3], filling: Filling, output: &mut OutputSlot<'_>, env: &Env<'_>) -> Result<()> {
    match output.dtype() {
        DType::UInt8 => transform_in::<u8>(tensors, filling, output, env),
        DType::Int32 => transform_in::<i32>(tensors, filling, output, env),
        DType::Int64 => transform_in::<i64>(tensors, filling, output, env),
        DType::Half => transform_in::<f16>(tensors, filling, output, env),
        DType::BFloat16 => transform_in::<bf16>(tensors, filling, output, env),
        DType::Float => transform_in::<f32>(tensors, filling, output, env),
        _ => transform_in::<f64>(tensors, filling, output, env),
    }
}

fn transform_in<T: Pixel>(
    [images, transforms, output_shape]: [&Tensor; 3],
    filling: Filling,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let &[batch, rows, columns, channels] = images.shape().dims() else {
        bail!("images must be of rank 4, their shape is {}", images.shape())
    };
    let one_for_all = match transforms.shape().dims() {
        [1, 8] => true,
        &[count, 8] if count == batch => false,
        _ => bail!("transforms must have shape [1, 8] or [{batch}, 8], it is {}", transforms.shape()),
    };
    let fill = T::from_single(filling.value);
    let [out_rows, out_columns] = two_extents("output_shape", output_shape)?;
    let out = output.allocate([batch, out_rows, out_columns, channels])?.as_mut_slice::<T>()?;
    if out.is_empty() {
        return Ok(());
    }
    let (transforms, values) = (transforms.as_slice::<f32>()?.as_chunks::<8>().0, images.as_slice::<T>()?);
    for_each_row(env, out, out_columns * channels, GRAIN, &|row, out| {
        let (image, y) = (row / out_rows, row % out_rows);
        let by = &transforms[if one_for_all { 0 } else { image }];
        let values = &values[image * rows * columns * channels..][..rows * columns * channels];
        let picture = Picture { values, rows, columns, channels };
        for (x, out) in out.chunks_exact_mut(channels).enumerate() {
            match place(by, x as f32, y as f32, filling.mode, [rows, columns]) {
                Some(place) if filling.interpolates => picture.interpolated(place, fill, out),
                Some([y, x]) => picture.copied(y.round(), x.round(), fill, out),
                None => out.fill(fill),
            }
        }
    });
    Ok(())
}

/// Where `[y, x]` of the input a pixel of the output lies, unless at infinity.
fn place(by: &[f32; 8], x: f32, y: f32, mode: Mode, [rows, columns]: [usize; 2]) -> Option<[f32; 2]> {
    let projection = by[6] * x + by[7] * y + 1.0;
    if projection == 0.0 {
        return None;
    }
    let from_x = mapped((by[0] * x + by[1] * y + by[2]) / projection, columns, mode);
    let from_y = mapped((by[3] * x + by[4] * y + by[5]) / projection, rows, mode);
    Some([from_y, from_x])
}

/// A place along an axis brought into the image, but for [`Mode::Constant`].
fn mapped(place: f32, extent: usize, mode: Mode) -> f32 {
    let (length, last) = (extent as f32, extent as f32 - 1.0);
    let inside = !(place < 0.0 || place > last);
    let place = match mode {
        Mode::Constant => return place,
        Mode::Nearest => place,
        _ if inside => place,
        _ if extent <= 1 => 0.0,
        Mode::Reflect => {
            let period = 2.0 * length;
            if place < 0.0 {
                let moved = period * (-place / period).trunc() + place;
                if moved < -length { moved + period } else { -moved - 1.0 }
            } else {
                let moved = place - period * (place / period).trunc();
                if moved >= length { period - moved - 1.0 } else { moved }
            }
        }
        Mode::Wrap if place < 0.0 => place + length * ((-place / last).trunc() + 1.0),
        Mode::Wrap => place - length * (place / last).trunc(),
    };
    if place < 0.0 {
        0.0
    } else if place > last {
        last
    } else {
        place
    }
}

/// One image.
struct Picture<'a, T> {
    values: &'a [T],
    rows: usize,
    columns: usize,
    channels: usize,
}

impl<T: Pixel> Picture<'_, T> {
    /// The channels of a pixel, unless outside.
    fn pixel(&self, row: f32, column: f32) -> Option<&[T]> {
        let inside = row >= 0.0 && row < self.rows as f32 && column >= 0.0 && column < self.columns as f32;
        inside.then(|| &self.values[(row as usize * self.columns + column as usize) * self.channels..][..self.channels])
    }

    fn copied(&self, row: f32, column: f32, fill: T, out: &mut [T]) {
        match self.pixel(row, column) {
            Some(pixel) => out.copy_from_slice(pixel),
            None => out.fill(fill),
        }
    }

    fn interpolated(&self, [y, x]: [f32; 2], fill: T, out: &mut [T]) {
        let (top, left) = (y.floor(), x.floor());
        let (bottom, right) = (top + 1.0, left + 1.0);
        let corners = [[(top, left), (top, right)], [(bottom, left), (bottom, right)]];
        let corners = corners.map(|line| line.map(|(row, column)| self.pixel(row, column)));
        for (channel, out) in out.iter_mut().enumerate() {
            let value = |pixel: Option<&[T]>| pixel.map_or(fill, |pixel| pixel[channel]).to_single();
            let [above, below] = corners.map(|line| (right - x) * value(line[0]) + (x - left) * value(line[1]));
            *out = T::from_single((bottom - y) * above + (y - top) * below);
        }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_with, run};

    fn image(values: &[i32]) -> Tensor {
        Tensor::from_vec([1, 1, values.len(), 1], values.to_vec()).unwrap()
    }

    fn moved_by(x: f32) -> Tensor {
        Tensor::from_vec([1, 8], vec![1.0, 0.0, x, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap()
    }

    #[test]
    fn places_outside_by_mode() {
        let cases = [
            ("CONSTANT", [9, 9, 1, 2, 3, 9]),
            ("REFLECT", [2, 1, 1, 2, 3, 3]),
            ("WRAP", [3, 3, 1, 2, 3, 1]),
            ("NEAREST", [1, 1, 1, 2, 3, 3]),
        ];
        for (mode, expected) in cases {
            let attrs = [("interpolation", "NEAREST".into()), ("fill_mode", mode.into())];
            let inputs = [image(&[1, 2, 3]), moved_by(-2.0), [1, 6].into(), 9f32.into()];
            check_with("ImageProjectiveTransformV3", &attrs, inputs, image(&expected));
        }
    }

    #[test]
    fn places_between_pixels_are_interpolated() {
        let attrs = [("interpolation", "BILINEAR".into())];
        let inputs = [image(&[10, 20, 40]), moved_by(0.5), [1, 3].into()];
        check_with("ImageProjectiveTransformV2", &attrs, inputs, image(&[15, 30, 20]));
        let wrong = [("interpolation", "CUBIC".into())];
        let inputs = vec![image(&[1]), moved_by(0.0), [1, 1].into()];
        assert!(run("ImageProjectiveTransformV2", &wrong, inputs).is_err());
    }
}
