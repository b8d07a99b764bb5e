//! `AdjustHue` and `AdjustSaturation`.

use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::{AdjustHue, AdjustSaturation};

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 12;
/// Steps by which a hue is brought into the circle, before that is done by division.
const STEPS: usize = 1 << 10;

/// `AdjustHue` in single precision.
#[kernel(AdjustHue, device = CPU, T = [f32])]
pub fn adjust_hue_cpu(images: &Tensor, delta: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let delta = scalar("delta", delta)?;
    each_color(&env, images, &mut output, |color| with_hue(color, delta))
}

/// `AdjustSaturation` in single precision.
#[kernel(AdjustSaturation, device = CPU, T = [f32])]
pub fn adjust_saturation_cpu(images: &Tensor, scale: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let scale = scalar("scale", scale)?;
    each_color(&env, images, &mut output, |color| with_saturation(color, scale))
}

fn scalar(name: &str, value: &Tensor) -> Result<f32> {
    ensure!(value.rank() == 0, "{name} must be a scalar, its shape is {}", value.shape());
    value.to_scalar()
}

fn each_color(
    env: &dyn KernelEnv,
    images: &Tensor,
    output: &mut OutputSlot<'_>,
    change: impl Fn([f32; 3]) -> [f32; 3] + Sync,
) -> Result<()> {
    let shape = images.shape();
    ensure!(
        shape.rank() >= 3 && shape.dims().ends_with(&[3]),
        "images must be of rank 3 at least and have 3 channels, their shape is {shape}"
    );
    let (values, out) = (images.as_slice::<f32>()?, output.allocate(shape.clone())?.as_mut_slice::<f32>()?);
    for_each_row(env, out, 3, GRAIN, &|pixel, out| {
        let color = [values[pixel * 3], values[pixel * 3 + 1], values[pixel * 3 + 2]];
        out.copy_from_slice(&change(color));
    });
    Ok(())
}

/// A sixth of the circle of hues, as the integer part of a hue of which 6 is the whole circle.
fn sixth(hue: f32) -> i32 {
    if hue.is_nan() { i32::MIN } else { hue as i32 }
}

/// The largest, the middle and the smallest component, and in which sixth of the circle that order is.
fn ordered([r, g, b]: [f32; 3]) -> ([f32; 3], i32) {
    match (r < g, b) {
        (true, b) if b < r => ([g, r, b], 1),
        (true, b) if b > g => ([b, g, r], 3),
        (true, b) => ([g, b, r], 2),
        (false, b) if b < g => ([r, g, b], 0),
        (false, b) if b > r => ([b, r, g], 4),
        (false, b) => ([r, b, g], 5),
    }
}

/// Turns the hue, of which 6 is the whole circle, by `6 delta`.
fn with_hue(color: [f32; 3], delta: f32) -> [f32; 3] {
    let ([most, middle, least], order) = ordered(color);
    let hue = match most == least {
        true => 0.0,
        false => {
            let part = (middle - least) / (most - least);
            order as f32 + if order % 2 == 0 { part } else { 1.0 - part }
        }
    };
    let hue = on_circle(hue + delta * 6.0);
    let category = sixth(hue);
    let part = hue - category as f32;
    let part = if category % 2 == 0 { part } else { 1.0 - part };
    let middle = least + part * (most - least);
    match category {
        0 => [most, middle, least],
        1 => [middle, most, least],
        2 => [least, most, middle],
        3 => [least, middle, most],
        4 => [middle, least, most],
        _ => [most, least, middle],
    }
}

/// A hue brought into [0, 6), by steps as TensorFlow does where they are few.
fn on_circle(mut hue: f32) -> f32 {
    for _ in 0..STEPS {
        match hue {
            low if low < 0.0 => hue += 6.0,
            high if high >= 6.0 => hue -= 6.0,
            _ => return hue,
        }
    }
    let hue = hue.rem_euclid(6.0);
    if hue >= 6.0 { 0.0 } else { hue }
}

/// Multiplies the saturation.
#[allow(clippy::manual_clamp, reason = "NaN becomes 0")]
fn with_saturation([r, g, b]: [f32; 3], scale: f32) -> [f32; 3] {
    let value = r.max(g.max(b));
    let range = value - r.min(g.min(b));
    let saturation = if value > 0.0 { range / value } else { 0.0 };
    let norm = 1.0 / (6.0 * range);
    let mut hue = if r == value {
        norm * (g - b)
    } else if g == value {
        (f64::from(norm * (b - r)) + 2.0 / 6.0) as f32
    } else {
        (f64::from(norm * (r - g)) + 4.0 / 6.0) as f32
    };
    if range <= 0.0 {
        hue = 0.0;
    }
    if hue < 0.0 {
        hue += 1.0;
    }
    of_hsv(hue, (saturation * scale).max(0.0).min(1.0), value)
}

fn of_hsv(hue: f32, saturation: f32, value: f32) -> [f32; 3] {
    let chroma = saturation * value;
    let least = value - chroma;
    let hue = hue * 6.0;
    let mut part = hue;
    while part <= 0.0 {
        part += 2.0;
    }
    while part >= 2.0 {
        part -= 2.0;
    }
    let middle = chroma * (1.0 - (part - 1.0).abs());
    let color = match sixth(hue) {
        0 => [chroma, middle, 0.0],
        1 => [middle, chroma, 0.0],
        2 => [0.0, chroma, middle],
        3 => [0.0, middle, chroma],
        4 => [middle, 0.0, chroma],
        5 => [chroma, 0.0, middle],
        _ => [0.0; 3],
    };
    color.map(|component| component + least)
}

#[cfg(test)]
mod tests {
    use super::on_circle;
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    fn color(color: [f32; 3]) -> Tensor {
        Tensor::from_vec([1, 1, 3], color.to_vec()).unwrap()
    }

    #[test]
    fn hues_turn() {
        let red = || color([0.8, 0.2, 0.2]);
        check("AdjustHue", [red(), 0f32.into()], red());
        check("AdjustHue", [red(), (1.0f32 / 3.0).into()], color([0.2, 0.8, 0.2]));
        check("AdjustHue", [red(), 0.5f32.into()], color([0.2, 0.8, 0.8]));
        for extreme in [-1e30, 1e30, f32::MAX, -1e-30] {
            assert!((0.0..6.0).contains(&on_circle(extreme)), "{extreme}");
        }
        check_error("AdjustHue", [Tensor::from_vec([1, 1, 2], vec![0f32; 2]).unwrap(), 0f32.into()], "3 channels");
    }

    #[test]
    fn saturations_grow_up_to_one() {
        check("AdjustSaturation", [color([0.5, 0.25, 0.25]), 0f32.into()], color([0.5; 3]));
        check("AdjustSaturation", [color([0.5, 0.25, 0.25]), 1.5f32.into()], color([0.5, 0.125, 0.125]));
        check("AdjustSaturation", [color([0.5, 0.25, 0.25]), 9f32.into()], color([0.5, 0.0, 0.0]));
    }
}
