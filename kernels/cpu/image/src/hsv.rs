//! `RGBToHSV` and `HSVToRGB`, in the arithmetic of their dtype.

use num_traits::{One, Zero};
use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::image::{HSVToRGB, RGBToHSV};

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 12;

/// `RGBToHSV` of every float.
#[kernel(RGBToHSV, device = CPU, T = [floats])]
pub fn rgb_to_hsv_cpu<T: Float>(images: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    each_color::<T>(&env, images, &mut output, to_hsv)
}

/// `HSVToRGB` of every float.
#[kernel(HSVToRGB, device = CPU, T = [floats])]
pub fn hsv_to_rgb_cpu<T: Float>(images: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    each_color::<T>(&env, images, &mut output, to_rgb)
}

fn each_color<T: Float>(
    env: &dyn KernelEnv,
    images: &Tensor,
    output: &mut OutputSlot<'_>,
    change: fn([T; 3]) -> [T; 3],
) -> Result<()> {
    let shape = images.shape();
    ensure!(shape.dims().ends_with(&[3]), "images must have 3 channels along the last axis, their shape is {shape}");
    let (values, out) = (images.as_slice::<T>()?, output.allocate(shape.clone())?.as_mut_slice::<T>()?);
    for_each_row(env, out, 3, GRAIN, &|pixel, out| {
        let color = [values[pixel * 3], values[pixel * 3 + 1], values[pixel * 3 + 2]];
        out.copy_from_slice(&change(color));
    });
    Ok(())
}

fn number<T: Float>(value: i64) -> T {
    T::from_int(value)
}

fn to_hsv<T: Float>([r, g, b]: [T; 3]) -> [T; 3] {
    let (zero, six) = (<T as Zero>::zero(), number::<T>(6));
    let value = r.max(g).max(b);
    let range = value - r.min(g).min(b);
    let saturation = if value > zero { range / value } else { zero };
    let norm = (<T as One>::one() / range) * (<T as One>::one() / six);
    let hue = if r == value {
        norm * (g - b)
    } else if g == value {
        norm * (b - r) + number::<T>(2) / six
    } else {
        norm * (r - g) + number::<T>(4) / six
    };
    let hue = if range > zero { hue } else { zero };
    [if hue < zero { hue + <T as One>::one() } else { hue }, saturation, value]
}

fn to_rgb<T: Float>([hue, saturation, value]: [T; 3]) -> [T; 3] {
    let (zero, one) = (<T as Zero>::zero(), <T as One>::one());
    let hue = hue * number(6);
    let kept = |part: T| part.max(zero).min(one);
    let red = kept((hue - number(3)).abs() - one);
    let green = kept(-(hue - number(2)).abs() + number(2));
    let blue = kept(-(hue - number(4)).abs() + number(2));
    [red, green, blue].map(|part| (-saturation + one + saturation * part) * value)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn there_and_back() {
        let rgb = || Tensor::from_vec([2, 3], vec![0.5, 0.25, 0.25, 0.0, 1.0, 1.0f32]).unwrap();
        let hsv = || Tensor::from_vec([2, 3], vec![0.0, 0.5, 0.5, 0.5, 1.0, 1.0f32]).unwrap();
        check("RGBToHSV", [rgb()], hsv());
        check("HSVToRGB", [hsv()], rgb());
        check_error("RGBToHSV", [Tensor::from([1f32, 2.0])], "3 channels");
    }
}
