//! `AdjustHue` and `AdjustSaturation`, computed in f32.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::image::{AdjustHue, AdjustSaturation};

use crate::movement::words;

/// `AdjustHue` in the device's memory.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(AdjustHue, device = GPU, T = [f16, f32], host_memory = [delta])]
pub fn adjust_hue_gpu(images: &Tensor, delta: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let delta = scalar("delta", delta)?;
    let (out, count) = colors(images, &mut output)?;
    if count == 0 {
        return Ok(());
    }
    with_hue { images, out, delta, count: words(count)? }.launch(env.device()?, images.dtype(), with_hue::blocks(count))
}

/// `AdjustSaturation` in the device's memory.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(AdjustSaturation, device = GPU, T = [f16, f32], host_memory = [scale])]
pub fn adjust_saturation_gpu(images: &Tensor, scale: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let scale = scalar("scale", scale)?;
    let (out, count) = colors(images, &mut output)?;
    if count == 0 {
        return Ok(());
    }
    with_saturation { images, out, scale, count: words(count)? }.launch(
        env.device()?,
        images.dtype(),
        with_saturation::blocks(count),
    )
}

pub(super) fn scalar(name: &str, value: &Tensor) -> Result<f32> {
    ensure!(value.rank() == 0, "{name} must be a scalar, its shape is {}", value.shape());
    value.to_scalar()
}

/// The output, and the number of colours.
fn colors<'s>(images: &Tensor, output: &'s mut OutputSlot<'_>) -> Result<(&'s Tensor, usize)> {
    let shape = images.shape();
    ensure!(
        shape.rank() >= 3 && shape.dims().ends_with(&[3]),
        "images must be of rank 3 at least and have 3 channels, their shape is {shape}"
    );
    let out = output.allocate(shape.clone())?;
    Ok((out, out.num_elements() / 3))
}

/// A hue, of which 6 is the whole circle, brought into [0, 6).
#[device_fn]
fn on_circle(hue: f32) -> f32 {
    let mut turned = hue;
    if hue < 0.0 || hue >= 6.0 {
        turned = hue - 6.0 * (hue / 6.0).floor();
    }
    if turned >= 6.0 || turned < 0.0 { 0.0 } else { turned }
}

/// A component of the colour of a hue, of which 6 is the whole circle: red, green and blue are a third of the circle
/// apart. `middle` is that of the component between the largest and the smallest.
#[device_fn]
fn component(index: u32, sixth: u32, most: f32, middle: f32, least: f32) -> f32 {
    let after = (sixth + 6 - 2 * index) % 6;
    let mut value = middle;
    if after == 0 || after == 5 {
        value = most;
    }
    if after == 2 || after == 3 {
        value = least;
    }
    value
}

/// A thread for each colour, whose hue is turned.
#[program(block = 256, T = [f16, f32])]
fn with_hue<T: Float>(images: &[T], out: &mut [T], delta: f32, count: u32) {
    for color in grid_stride(count) {
        let at = (color * 3) as usize;
        let (r, g, b) = (images[at].to_f32(), images[at + 1].to_f32(), images[at + 2].to_f32());
        let most = r.max(g).max(b);
        let least = r.min(g).min(b);
        let range = most - least;
        let mut hue = 0.0_f32;
        if range > 0.0 {
            if r == most {
                hue = (g - b) / range;
            } else if g == most {
                hue = 2.0 + (b - r) / range;
            } else {
                hue = 4.0 + (r - g) / range;
            }
            if hue < 0.0 {
                hue += 6.0;
            }
        }
        let turned = on_circle(hue + delta * 6.0);
        let sixth = turned as u32;
        let part = turned - sixth as f32;
        let middle = least + (if sixth % 2 == 0 { part } else { 1.0 - part }) * range;
        for index in 0..3_u32 {
            let value = component(index, sixth, most, middle, least);
            out[at + index as usize] = T::from_f32(value);
        }
    }
}

/// A thread for each colour, whose saturation is multiplied.
#[program(block = 256, T = [f16, f32])]
fn with_saturation<T: Float>(images: &[T], out: &mut [T], scale: f32, count: u32) {
    for color in grid_stride(count) {
        let at = (color * 3) as usize;
        let (r, g, b) = (images[at].to_f32(), images[at + 1].to_f32(), images[at + 2].to_f32());
        let value = r.max(g).max(b);
        let range = value - r.min(g).min(b);
        let saturation = if value > 0.0 { range / value } else { 0.0 };
        let chroma = (saturation * scale).max(0.0).min(1.0) * value;
        let mut hue = 0.0_f32;
        if range > 0.0 {
            if r == value {
                hue = (g - b) / range;
            } else if g == value {
                hue = 2.0 + (b - r) / range;
            } else {
                hue = 4.0 + (r - g) / range;
            }
        }
        let turned = on_circle(if hue < 0.0 { hue + 6.0 } else { hue });
        let sixth = turned as u32;
        let part = turned - sixth as f32;
        let least = value - chroma;
        let middle = chroma * (if sixth % 2 == 0 { part } else { 1.0 - part });
        for index in 0..3_u32 {
            let value = component(index, sixth, chroma, middle, 0.0);
            out[at + index as usize] = T::from_f32(value + least);
        }
    }
}
