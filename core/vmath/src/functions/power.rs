//! Powers.

use super::double::{exp_f64, log_f64};

/// `x` to the power `y`, with the special values of IEEE 754 `pow`; error below 1.
#[inline(always)]
pub fn pow<const FUSED: bool>(x: f32, y: f32) -> f32 {
    let magnitude = x.abs();
    let log = if magnitude > 0.0 { log_f64::<FUSED>(f64::from(magnitude)) } else { f64::NEG_INFINITY };
    let exponent = f64::from(y) * if x.is_nan() { f64::NAN } else { log };
    let exponent = if exponent > 200.0 { 200.0 } else { exponent };
    let value = exp_f64::<FUSED>(if exponent < -200.0 { -200.0 } else { exponent }) as f32;

    let integral = y.trunc() == y;
    let odd = integral & ((0.5 * y).trunc() != 0.5 * y);
    let undefined = x < 0.0 && x > f32::NEG_INFINITY && !integral;
    let value = if (magnitude == 1.0) & !y.is_nan() { 1.0 } else { value };
    let value = if x.is_sign_negative() & odd { -value } else { value };
    let value = if undefined { f32::NAN } else { value };
    if x == 1.0 || y == 0.0 { 1.0 } else { value }
}
