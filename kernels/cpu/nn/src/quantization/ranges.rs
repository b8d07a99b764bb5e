//! Quantized numbers between ranges: what an integer stands for, and the integer that stands for a number.

use super::zero::Quantized;

/// The number that an integer of a range stands for.
pub(super) fn number<T: Quantized>(value: T, (min, max): (f32, f32)) -> f32 {
    if min == max {
        return min;
    }
    let steps = T::HIGHEST - T::LOWEST + 1.0;
    let range = f64::from(max - min) * (steps / (steps - 1.0));
    let step = range / steps;
    let rounded = step as f32;
    let lowest = f64::from((min / rounded).round() * rounded);
    (lowest + (f64::from(value.integer()) - T::LOWEST) * step) as f32
}

/// The integer that stands for a number, which need not be one of the dtype.
pub(super) fn unclamped<T: Quantized>(value: f32, (min, max): (f32, f32)) -> i64 {
    if min == max {
        return T::LOWEST as i64;
    }
    let steps = T::HIGHEST - T::LOWEST + 1.0;
    let a_unit = steps / (f64::from(max - min) * (steps / (steps - 1.0)));
    let quantized = (f64::from(value) * a_unit).round() - (f64::from(min) * a_unit).round();
    (quantized as i64).wrapping_add(T::LOWEST as i64)
}

/// The nearest integer of the dtype that stands for a number.
pub(super) fn integer<T: Quantized>(value: f32, range: (f32, f32)) -> i64 {
    unclamped::<T>(value, range).clamp(T::LOWEST as i64, T::HIGHEST as i64)
}

/// The same in single precision, as whole tensors are converted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    offset: f32,
    step: f32,
}

impl Numbers {
    pub(super) fn of<T: Quantized>((min, max): (f32, f32)) -> Self {
        let step = (f64::from(max - min) / (T::HIGHEST - T::LOWEST)) as f32;
        let lowest = if min == max { min } else { (min / step).round() * step };
        Self { offset: lowest - T::LOWEST as f32 * step, step }
    }

    pub(super) fn number<T: Quantized>(self, value: T) -> f32 {
        self.offset + value.integer() as f32 * self.step
    }
}

/// Numbers as integers in single precision, as whole tensors are converted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integers {
    a_unit: f32,
    offset: f32,
}

/// The largest `f32` that is an `i32`.
const MOST: f32 = 2_147_483_520.0;

impl Integers {
    pub(super) fn of<T: Quantized>((min, max): (f32, f32)) -> Self {
        let a_unit = if min == max { 0.0 } else { ((T::HIGHEST - T::LOWEST) / f64::from(max - min)) as f32 };
        Self { a_unit, offset: (min * a_unit).round() - T::LOWEST as f32 }
    }

    pub(super) fn integer<T: Quantized>(self, value: f32) -> T {
        let scaled = (value * self.a_unit).round() - self.offset;
        T::of(scaled.max(T::LOWEST as f32).min((T::HIGHEST as f32).min(MOST)))
    }
}

/// The range of a sum of numbers of two ranges, so many times as large.
pub(super) fn sum_range(a: (f32, f32), b: (f32, f32), factor: f32) -> (f32, f32) {
    let most = a.1.max(-a.0).max(b.1.max(-b.0)) * factor;
    (-most, most)
}
