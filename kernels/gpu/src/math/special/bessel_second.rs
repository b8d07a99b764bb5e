//! Modified Bessel functions of the second kind, also scaled by `exp(x)`; infinite where `x <= 0`.

use oplink::prelude::*;
use oplink_ops::math::{BesselK0, BesselK0e, BesselK1, BesselK1e};

use super::bessel::{scaled_one, scaled_zero};
use super::chebyshev_series;

/// The function of order 0.
#[device_fn]
fn of_order_zero(x: f32, is_scaled: bool) -> f32 {
    let small = x.max(1e-38).min(2.0);
    let near = near_zero(small * small - 2.0) - (0.5 * small).ln() * small.exp() * scaled_zero(small);
    let large = x.max(2.0);
    let far = far_zero(8.0 / large - 2.0) / large.sqrt();
    let mut value = far;
    if x <= 2.0 {
        value = if is_scaled { near * small.exp() } else { near };
    } else if !is_scaled {
        // Beyond, the exponential is below the smallest normal number.
        value = if x > 87.336_54 { 0.0 } else { far * (-large).exp() };
    }
    if x <= 0.0 {
        value = f32::INFINITY;
    }
    if x.is_nan() { x } else { value }
}

/// The function of order 1.
#[device_fn]
fn of_order_one(x: f32, is_scaled: bool) -> f32 {
    let small = x.max(1e-38).min(2.0);
    let near = near_one(small * small - 2.0) / small + (0.5 * small).ln() * small.exp() * scaled_one(small);
    let large = x.max(2.0);
    let far = far_one(8.0 / large - 2.0) / large.sqrt();
    let mut value = far;
    if x <= 2.0 {
        value = if is_scaled { near * small.exp() } else { near };
    } else if !is_scaled {
        // Beyond, the exponential is below the smallest normal number.
        value = if x > 87.336_54 { 0.0 } else { far * (-large).exp() };
    }
    if x <= 0.0 {
        value = f32::INFINITY;
    }
    if x.is_nan() { x } else { value }
}

/// The function of order 0.
#[kernel(BesselK0, device = GPU, scalar, T = [f16, f32])]
fn bessel_k0<T: Float>(x: T) -> T {
    T::from_f32(of_order_zero(x.to_f32(), false))
}

/// The scaled function of order 0.
#[kernel(BesselK0e, device = GPU, scalar, T = [f16, f32])]
fn bessel_k0e<T: Float>(x: T) -> T {
    T::from_f32(of_order_zero(x.to_f32(), true))
}

/// The function of order 1.
#[kernel(BesselK1, device = GPU, scalar, T = [f16, f32])]
fn bessel_k1<T: Float>(x: T) -> T {
    T::from_f32(of_order_one(x.to_f32(), false))
}

/// The scaled function of order 1.
#[kernel(BesselK1e, device = GPU, scalar, T = [f16, f32])]
fn bessel_k1e<T: Float>(x: T) -> T {
    T::from_f32(of_order_one(x.to_f32(), true))
}

chebyshev_series! {
    /// `K0 + ln(x / 2) I0` in `[0, 2]`, in `x^2 - 2`.
    near_zero: [
        1.904_516_38e-9, 2.534_791_08e-7, 2.286_212_1e-5, 0.001_264_615_41, 0.035_979_936_5, 0.344_289_9,
        -0.535_327_393,
    ];

    /// `exp(x) K0` beyond 2, in `8 / x - 2`, times the root of `x`.
    far_zero: [
        -1.697_534_51e-9, 8.574_034_02e-9, -4.660_489_9e-8, 2.766_813_64e-7, -1.831_755_52e-6, 1.394_981_37e-5,
        -0.000_128_495_496, 0.001_569_883_89, -0.031_448_101_3, 2.440_303_08,
    ];

    /// `x (K1 - ln(x / 2) I1)` in `[0, 2]`, in `x^2 - 2`.
    near_one: [
        -2.213_387_63e-8, -2.433_406_14e-6, -0.000_173_028_896, -0.006_975_723_86, -0.122_611_181, -0.353_155_961,
        1.525_300_23,
    ];

    /// `exp(x) K1` beyond 2, in `8 / x - 2`, times the root of `x`.
    far_one: [
        2.015_049_76e-9, -1.034_576_25e-8, 5.741_084_13e-8, -3.501_960_6e-7, 2.406_484_95e-6, -1.936_197_97e-5,
        0.000_195_215_518, -0.002_857_816_86, 0.103_923_737, 2.720_626_19,
    ];
}
