//! `RGBToHSV` and `HSVToRGB`, in the arithmetic of their dtype.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::image::{HSVToRGB, RGBToHSV};

use crate::movement::words;

/// `RGBToHSV` in the device's memory.
///
/// # Errors
/// The last axis has not 3 channels; the device refuses.
#[kernel(RGBToHSV, device = GPU, T = [f32, f64])]
pub fn rgb_to_hsv_gpu(images: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (out, count) = colors(images, &mut output)?;
    if count == 0 {
        return Ok(());
    }
    to_hsv { images, out, count: words(count)? }.launch(env.device()?, images.dtype(), to_hsv::blocks(count))
}

/// `HSVToRGB` in the device's memory.
///
/// # Errors
/// The last axis has not 3 channels; the device refuses.
#[kernel(HSVToRGB, device = GPU, T = [f32, f64])]
pub fn hsv_to_rgb_gpu(images: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (out, count) = colors(images, &mut output)?;
    if count == 0 {
        return Ok(());
    }
    to_rgb { images, out, count: words(count)? }.launch(env.device()?, images.dtype(), to_rgb::blocks(count))
}

/// The output, and the number of colours.
fn colors<'s>(images: &Tensor, output: &'s mut OutputSlot<'_>) -> Result<(&'s Tensor, usize)> {
    let shape = images.shape();
    ensure!(shape.dims().ends_with(&[3]), "images must have 3 channels along the last axis, their shape is {shape}");
    let out = output.allocate(shape.clone())?;
    Ok((out, out.num_elements() / 3))
}

/// A thread for each colour.
#[program(block = 256, T = [f32, f64])]
fn to_hsv<T: Float>(images: &[T], out: &mut [T], count: u32) {
    for color in grid_stride(count) {
        let at = (color * 3) as usize;
        let (r, g, b) = (images[at], images[at + 1], images[at + 2]);
        let value = r.max(g).max(b);
        let range = value - r.min(g).min(b);
        let six = T::from_int(6);
        let norm = (T::one() / range) * (T::one() / six);
        let mut hue = norm * (r - g) + T::from_int(4) / six;
        if g == value {
            hue = norm * (b - r) + T::from_int(2) / six;
        }
        if r == value {
            hue = norm * (g - b);
        }
        let is_color = range > T::zero();
        if !is_color {
            hue = T::zero();
        }
        if hue < T::zero() {
            hue = hue + T::one();
        }
        out[at] = hue;
        out[at + 1] = if value > T::zero() { range / value } else { T::zero() };
        out[at + 2] = value;
    }
}

/// A thread for each colour.
#[program(block = 256, T = [f32, f64])]
fn to_rgb<T: Float>(images: &[T], out: &mut [T], count: u32) {
    for color in grid_stride(count) {
        let at = (color * 3) as usize;
        let hue = images[at] * T::from_int(6);
        let (saturation, value) = (images[at + 1], images[at + 2]);
        let (zero, one, two) = (T::zero(), T::one(), T::from_int(2));
        let red = (hue - T::from_int(3)).abs() - one;
        let green = two - (hue - two).abs();
        let blue = two - (hue - T::from_int(4)).abs();
        out[at] = (one - saturation + saturation * red.max(zero).min(one)) * value;
        out[at + 1] = (one - saturation + saturation * green.max(zero).min(one)) * value;
        out[at + 2] = (one - saturation + saturation * blue.max(zero).min(one)) * value;
    }
}
