//! Bessel functions of the first and the second kind, of the orders 0 and 1: rational up to 5, and logarithms; beyond
//! they oscillate.

use oplink::prelude::*;
use oplink_ops::math::{BesselJ0, BesselJ1, BesselY0, BesselY1};

use super::polynomials;

/// The function of the first kind of order 0 up to 5.
#[device_fn]
fn first_zero(x: f32) -> f32 {
    let square = x * x;
    let value = (square - 5.783_185_96) * (square - 30.471_262_3) * j0_above(square) / j0_below(square);
    if x < 1e-3 { 1.0 - square / 4.0 } else { value }
}

/// The function of the first kind of order 1 up to 5.
#[device_fn]
fn first_one(x: f32) -> f32 {
    let square = x * x;
    x * (j1_above(square) / j1_below(square)) * (square - 14.681_970_6) * (square - 49.218_456_3)
}

/// The oscillation, `cosine` and `sine` beside those of the angle: of the first kind, or of the second.
#[device_fn]
fn oscillation(x: f32, cosine: f32, sine: f32, lag: f32, is_second: bool) -> f32 {
    let angle = (sine.atan2(cosine) - lag) + x;
    // A whole circle less, in two parts of which multiples are exact.
    let turns = (angle * 0.159_154_94).floor();
    let rest = (angle - turns * 6.281_25) - turns * 0.001_935_307_2;
    let size = cosine.hypot(sine) * (0.636_619_77 / x).sqrt();
    size * if is_second { rest.sin() } else { rest.cos() }
}

/// The functions of order 0 beyond 5.
#[device_fn]
fn far_zero(x: f32, is_second: bool) -> f32 {
    let inverse = 5.0 / x;
    let square = inverse * inverse;
    let cosine = p0_above(square) / p0_below(square);
    oscillation(x, cosine, inverse * q0_above(square) / q0_below(square), 0.785_398_16, is_second)
}

/// The functions of order 1 beyond 5.
#[device_fn]
fn far_one(x: f32, is_second: bool) -> f32 {
    let inverse = 5.0 / x;
    let square = inverse * inverse;
    let cosine = p1_above(square) / p1_below(square);
    oscillation(x, cosine, inverse * q1_above(square) / q1_below(square), 2.356_194_5, is_second)
}

/// The function of the first kind of order 0.
#[kernel(BesselJ0, device = GPU, scalar, T = [f16, f32])]
fn bessel_j0<T: Float>(x: T) -> T {
    let size = x.to_f32().abs();
    let value = if size <= 5.0 { first_zero(size) } else { far_zero(size, false) };
    T::from_f32(if x.is_nan() { size } else { value })
}

/// The function of the first kind of order 1.
#[kernel(BesselJ1, device = GPU, scalar, T = [f16, f32])]
fn bessel_j1<T: Float>(x: T) -> T {
    let size = x.to_f32().abs();
    let value = if size <= 5.0 { first_one(size) } else { far_one(size, false) };
    let signed = if x.to_f32() < 0.0 { -value } else { value };
    T::from_f32(if x.is_nan() { size } else { signed })
}

/// The function of the second kind of order 0; negative infinity where `x <= 0`.
#[kernel(BesselY0, device = GPU, scalar, T = [f16, f32])]
fn bessel_y0<T: Float>(x: T) -> T {
    let single = x.to_f32();
    let square = single * single;
    let near = y0_above(square) / y0_below(square) + 0.636_619_77 * single.ln() * first_zero(single);
    let mut value = if single <= 5.0 { near } else { far_zero(single, true) };
    if single <= 0.0 {
        value = f32::NEG_INFINITY;
    }
    T::from_f32(if x.is_nan() { single } else { value })
}

/// The function of the second kind of order 1; negative infinity where `x` is negative, NaN at 0.
#[kernel(BesselY1, device = GPU, scalar, T = [f16, f32])]
fn bessel_y1<T: Float>(x: T) -> T {
    let single = x.to_f32();
    let square = single * single;
    let logarithm = first_one(single) * single.ln() - 1.0 / single;
    let near = single * (y1_above(square) / y1_below(square)) + 0.636_619_77 * logarithm;
    let mut value = if single <= 5.0 { near } else { far_one(single, true) };
    if single < 0.0 {
        value = f32::NEG_INFINITY;
    }
    if single == 0.0 {
        value = f32::NAN;
    }
    T::from_f32(if x.is_nan() { single } else { value })
}

polynomials! {
    /// The numerator of J0, over its first two zeros.
    j0_above: [
        -4.794_432_21e9, 1.956_174_92e12, -2.492_483_44e14, 9.708_622_51e15,
    ];

    /// Its denominator.
    j0_below: [
        1.0, 499.563_147, 173_785.402, 48_440_965.8, 1.118_555_37e10, 2.112_775_2e12, 3.105_182_3e14,
        3.181_219_56e16, 1.710_862_94e18,
    ];

    /// The numerator of J1, over its first two zeros.
    j1_above: [
        -899_971_226.0, 4.522_282_98e11, -7.274_942_45e13, 3.682_957_33e15,
    ];

    /// Its denominator.
    j1_below: [
        1.0, 620.836_478, 256_987.257, 83_514_679.1, 2.215_115_95e10, 4.749_141_22e12, 7.843_696_08e14,
        8.952_223_36e16, 5.322_786_2e18,
    ];

    /// The numerator of Y0 less its logarithm.
    y0_above: [
        15_592.436_8, -14_663_929.6, 5.435_264_77e9, -9.821_360_66e11, 8.759_063_94e13, -3.466_283_03e15,
        4.427_332_69e16, -1.849_508e16,
    ];

    /// Its denominator.
    y0_below: [
        1.0, 1_041.283_54, 626_107.33, 268_919_633.0, 8.640_024_87e10, 2.029_796_13e13, 3.171_577_53e15,
        2.505_962_56e17,
    ];

    /// The numerator of Y1 less its logarithm.
    y1_above: [
        1.263_204_75e9, -6.473_558_76e11, 1.145_095_12e14, -8.127_702_56e15, 2.024_394_76e17, -7.788_771_96e17,
    ];

    /// Its denominator.
    y1_below: [
        1.0, 594.301_592, 235_564.093, 73_481_194.4, 1.876_013_16e10, 3.882_312_77e12, 6.205_577_27e14,
        6.871_410_87e16, 3.972_706_08e18,
    ];

    /// The numerator of the cosine part of order 0, in `25 / x^2`.
    p0_above: [
        0.000_796_936_729, 0.082_835_239_2, 1.239_533_72, 5.447_250_03, 8.747_165, 5.303_240_38, 1.0,
    ];

    /// Its denominator.
    p0_below: [
        0.000_924_408_811, 0.085_628_847_4, 1.253_527_44, 5.470_977_4, 8.761_908_83, 5.306_052_88, 1.0,
    ];

    /// The numerator of the sine part of order 0.
    q0_above: [
        -0.011_366_383_9, -1.282_527_19, -19.553_954_4, -93.206_015_2, -177.681_168, -147.077_505, -51.410_532_7,
        -6.050_143_51,
    ];

    /// Its denominator.
    q0_below: [
        1.0, 64.317_825_6, 856.430_026, 3_882.401_84, 7_240.467_74, 5_930.727_01, 2_062.093_32, 242.005_74,
    ];

    /// The numerator of the cosine part of order 1.
    p1_above: [
        0.000_762_125_616, 0.073_139_705_7, 1.127_196_08, 5.112_079_51, 8.424_045_9, 5.214_515_99, 1.0,
    ];

    /// Its denominator.
    p1_below: [
        0.000_571_323_128, 0.068_845_590_9, 1.105_142_33, 5.073_863_86, 8.399_855_54, 5.209_828_49, 1.0,
    ];

    /// The numerator of the sine part of order 1.
    q1_above: [
        0.051_086_259_5, 4.982_138_73, 75.823_828_4, 366.779_609, 710.856_305, 597.489_612, 211.688_757,
        25.207_020_6,
    ];

    /// Its denominator.
    q1_below: [
        1.0, 74.237_327_7, 1_056.448_86, 4_986.410_58, 9_562.318_92, 7_997.041_6, 2_826.192_79, 336.093_608,
    ];
}
