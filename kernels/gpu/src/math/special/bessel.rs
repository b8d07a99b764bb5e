//! Modified Bessel functions of the first kind, also scaled.

use oplink::prelude::*;
use oplink_ops::math::{BesselI0, BesselI0e, BesselI1, BesselI1e};

use super::chebyshev_series;

/// `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
#[device_fn]
pub(super) fn scaled_zero(x: f32) -> f32 {
    let size = x.abs();
    let near = zero_near(0.5 * size.min(8.0) - 2.0);
    let far = zero_far(32.0 / size.max(8.0) - 2.0) / size.max(8.0).sqrt();
    let value = if size <= 8.0 { near } else { far };
    if x.is_nan() { x } else { value }
}

/// `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
#[device_fn]
pub(super) fn scaled_one(x: f32) -> f32 {
    let size = x.abs();
    let near = size * one_near(0.5 * size.min(8.0) - 2.0);
    let far = one_far(32.0 / size.max(8.0) - 2.0) / size.max(8.0).sqrt();
    let value = if size <= 8.0 { near } else { far };
    let signed = if x < 0.0 { -value } else { value };
    if x.is_nan() { x } else { signed }
}

/// The scaled function of order 0.
#[kernel(BesselI0e, device = GPU, scalar, T = [f16, f32])]
fn bessel_i0e<T: Float>(x: T) -> T {
    T::from_f32(scaled_zero(x.to_f32()))
}

/// The scaled function of order 1.
#[kernel(BesselI1e, device = GPU, scalar, T = [f16, f32])]
fn bessel_i1e<T: Float>(x: T) -> T {
    T::from_f32(scaled_one(x.to_f32()))
}

/// The function of order 0; infinite as soon as `exp(|x|)` is.
#[kernel(BesselI0, device = GPU, scalar, T = [f16, f32])]
fn bessel_i0<T: Float>(x: T) -> T {
    let single = x.to_f32();
    T::from_f32(single.abs().exp() * scaled_zero(single))
}

/// The function of order 1; infinite as soon as `exp(|x|)` is.
#[kernel(BesselI1, device = GPU, scalar, T = [f16, f32])]
fn bessel_i1<T: Float>(x: T) -> T {
    let single = x.to_f32();
    T::from_f32(single.abs().exp() * scaled_one(single))
}

chebyshev_series! {
    /// Of order 0 in `[0, 8]`, in `x / 2 - 2`.
    zero_near: [
        -1.300_025_01e-8, 6.046_995_02e-8, -2.670_793_85e-7, 1.117_387_54e-6, -4.416_738_36e-6, 1.644_844_81e-5,
        -5.754_195_01e-5, 0.000_188_502_885, -0.000_576_375_575, 0.001_639_475_62, -0.004_324_31, 0.010_546_460_4,
        -0.023_737_414_8, 0.049_305_284_2, -0.094_901_097, 0.171_620_902, -0.304_682_672, 0.676_795_274,
    ];

    /// Of order 0 beyond 8, in `32 / x - 2`, times the root of `x`.
    zero_far: [
        3.396_232_03e-9, 2.266_668_99e-8, 2.048_918_59e-7, 2.891_370_52e-6, 6.889_758_35e-5, 0.003_369_116_48,
        0.804_490_411,
    ];

    /// Of order 1 in `[0, 8]`, over `x`.
    one_near: [
        9.381_537_39e-9, -4.445_059_13e-8, 2.003_294_75e-7, -8.568_720_26e-7, 3.470_251_31e-6, -1.327_316_37e-5,
        4.781_565_11e-5, -0.000_161_760_816, 0.000_512_285_956, -0.001_513_572_45, 0.004_156_422_94,
        -0.010_564_084_9, 0.024_726_449, -0.052_945_981_2, 0.102_643_659, -0.176_416_518, 0.252_587_186,
    ];

    /// Of order 1 beyond 8, times the root of `x`.
    one_far: [
        -3.835_380_39e-9, -2.631_468_85e-8, -2.512_236_24e-7, -3.882_564_81e-6, -0.000_110_588_939,
        -0.009_761_097_49, 0.778_576_235,
    ];
}
