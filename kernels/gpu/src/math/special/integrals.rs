//! Integrals of elementary functions: Dawson's, the exponential one, Fresnel's, the dilogarithm.

use oplink::prelude::*;
use oplink_ops::math::{Dawsn, Expint, FresnelCos, FresnelSin, Spence};

use super::polynomials;

/// Dawson's integral, `exp(-x^2)` times the integral of `exp(t^2)` from 0 to `x`: DLMF 7.6.3 up to 7, the asymptotic
/// series of 7.12.1 beyond. From 1e9 on the value is positive whatever the sign.
#[kernel(Dawsn, device = GPU, scalar, T = [f32])]
fn dawsn<T: Float>(x: T) -> T {
    let single = x.to_f32();
    let size = single.abs();
    let square = size * size;
    let step = 0.5 / square;
    let sum = 1.0 + step * (1.0 + 3.0 * step * (1.0 + 5.0 * step * (1.0 + 7.0 * step * (1.0 + 9.0 * step))));
    let mut value = 0.5 / size * sum;
    if size < 7.0 {
        let mut power = size;
        let mut sum = size;
        let mut added = size;
        let mut k = 1.0_f32;
        while added > 1e-8 * sum && k < 200.0 {
            power *= square / k;
            added = power / (2.0 * k + 1.0);
            sum += added;
            k += 1.0;
        }
        // The square of a number of few digits is exact.
        let head = (size * 16.0).floor() / 16.0;
        value = sum * (-head * head).exp() * (-(size - head) * (size + head)).exp();
    }
    if single < 0.0 && size < 1e9 {
        value = -value;
    }
    T::from_f32(if single.is_nan() { single } else { value })
}

/// The exponential integral Ei; NaN where `x` is negative, or its inverse below the smallest normal number: DLMF 6.6.2
/// up to 40, the asymptotic series of 6.12.2 beyond.
#[kernel(Expint, device = GPU, scalar, T = [f32])]
fn expint<T: Float>(x: T) -> T {
    let single = x.to_f32();
    let mut term = 1.0_f32;
    let mut far = 1.0_f32;
    for k in 1..12_u32 {
        term *= k as f32 / single;
        far += term;
    }
    let mut value = single.exp() / single * far;
    if single > 88.722_84 {
        value = f32::INFINITY;
    }
    if single < 40.0 {
        let mut power = 1.0_f32;
        let mut sum = 0.0_f32;
        let mut added = 1.0_f32;
        let mut k = 1.0_f32;
        while added > 1e-8 * sum && k < 200.0 {
            power *= single / k;
            added = power / k;
            sum += added;
            k += 1.0;
        }
        value = 0.577_215_66 + single.ln() + sum;
    }
    if single < 0.0 || single > 8.507_059e37 {
        value = f32::NAN;
    }
    T::from_f32(if single.is_nan() { single } else { value })
}

/// The auxiliary functions f and g, and sine and cosine of `pi x^2 / 2`, beyond 1.6.
#[device_fn]
fn auxiliary(size: f32) -> (f32, f32, f32, f32) {
    let square = size * size;
    let inverse = 1.0 / (3.141_592_7 * square);
    let step = inverse * inverse;
    let f = 1.0 - step * f_above(step) / f_below(step);
    let g = inverse * g_above(step) / g_below(step);
    // Four quarters of a circle less, which is exact.
    let angle = 1.570_796_4 * (square - 4.0 * (square * 0.25).floor());
    (f, g, angle.sin(), angle.cos())
}

/// The Fresnel integral of the cosine.
#[kernel(FresnelCos, device = GPU, scalar, T = [f32])]
fn fresnel_cos<T: Float>(x: T) -> T {
    let single = x.to_f32();
    let size = single.abs();
    let fourth = size * size * (size * size);
    let mut value = 0.5_f32;
    if size * size < 2.5625 {
        value = size * c_above(fourth) / c_below(fourth);
    } else if size <= 36_974.0 {
        let (f, g, sine, cosine) = auxiliary(size);
        value = 0.5 + (f * sine - g * cosine) / (3.141_592_7 * size);
    }
    let signed = if single < 0.0 { -value } else { value };
    T::from_f32(if single.is_nan() { single } else { signed })
}

/// The Fresnel integral of the sine.
#[kernel(FresnelSin, device = GPU, scalar, T = [f32])]
fn fresnel_sin<T: Float>(x: T) -> T {
    let single = x.to_f32();
    let size = single.abs();
    let fourth = size * size * (size * size);
    let mut value = 0.5_f32;
    if size * size < 2.5625 {
        value = size * (size * size) * s_above(fourth) / s_below(fourth);
    } else if size <= 36_974.0 {
        let (f, g, sine, cosine) = auxiliary(size);
        value = 0.5 - (f * cosine + g * sine) / (3.141_592_7 * size);
    }
    let signed = if single < 0.0 { -value } else { value };
    T::from_f32(if single.is_nan() { single } else { signed })
}

/// The dilogarithm of `1 - x`; NaN where `x` is negative, or its inverse below the smallest normal number.
#[kernel(Spence, device = GPU, scalar, T = [f32])]
fn spence<T: Float>(x: T) -> T {
    let single = x.to_f32();
    let inner = if single > 2.0 { 1.0 / single } else { single };
    let is_inverted = single > 1.5;
    let mut w = inner - 1.0;
    if inner > 1.5 {
        w = 1.0 / inner - 1.0;
    } else if inner < 0.5 {
        w = -inner;
    }
    let mut value = -w * numerator(w) / denominator(w);
    if inner < 0.5 {
        value = 1.644_934_1 - inner.ln() * (1.0 - inner).ln() - value;
    }
    if is_inverted {
        let log = inner.ln();
        value = -0.5 * log * log - value;
    }
    if single == 0.0 {
        value = 1.644_934_1;
    }
    if single < 0.0 || single > 8.507_059e37 {
        value = f32::NAN;
    }
    T::from_f32(if single.is_nan() { single } else { value })
}

polynomials! {
    /// The numerator of the sine integral over `x^3`, in `x^4`.
    s_above: [
        -2_991.819_19, 708_840.045, -62_974_148.6, 2.548_908_81e9, -4.429_795_18e10, 3.180_162_98e11,
    ];

    /// Its denominator.
    s_below: [
        1.0, 281.376_269, 45_584.781_1, 5_173_438.89, 419_320_246.0, 2.244_117_96e10, 6.073_663_89e11,
    ];

    /// The numerator of the cosine integral over `x`, in `x^4`.
    c_above: [
        -4.988_431_15e-8, 9.504_280_63e-6, -0.000_645_191_436, 0.018_884_331_9, -0.205_525_901, 1.0,
    ];

    /// Its denominator.
    c_below: [
        3.999_829_69e-12, 9.154_392_16e-10, 1.250_018_62e-7, 1.222_627_89e-5, 0.000_868_029_543, 0.041_214_209_1,
        1.0,
    ];

    /// The numerator of the auxiliary function f, in `1 / (pi x^2)^2`.
    f_above: [
        0.421_543_555, 0.143_407_92, 0.011_522_095_5, 0.000_345_017_94, 4.636_137_49e-6, 3.055_689_84e-8,
        1.023_045_14e-10, 1.720_107_43e-13, 1.342_832_76e-16, 3.763_297_11e-20,
    ];

    /// Its denominator.
    f_below: [
        1.0, 0.751_586_398, 0.116_888_926, 0.006_440_515_27, 0.000_155_934_409, 1.846_275_67e-6, 1.126_992_25e-8,
        3.601_400_3e-11, 5.887_545_34e-14, 4.520_014_34e-17, 1.254_432_37e-20,
    ];

    /// The numerator of the auxiliary function g.
    g_above: [
        0.504_442_074, 0.197_102_834, 0.018_764_858_4, 0.000_684_079_381, 1.151_388_26e-5, 9.828_524_44e-8,
        4.453_444_16e-10, 1.082_680_41e-12, 1.375_554_61e-15, 8.363_544_36e-19, 1.869_587_1e-22,
    ];

    /// Its denominator.
    g_below: [
        1.0, 1.474_957_6, 0.337_748_989, 0.025_360_374_1, 0.000_814_679_107, 1.275_450_76e-5, 1.043_145_9e-7,
        4.606_807_28e-10, 1.102_732_15e-12, 1.387_965_31e-15, 8.391_588_16e-19, 1.869_587_1e-22,
    ];

    /// The numerator of the dilogarithm about 1.
    numerator: [
        4.651_285_86e-5, 0.007_315_890_45, 0.133_847_64, 0.879_691_312, 2.711_498_51, 4.256_971_56, 3.297_713_41,
        1.0,
    ];

    /// Its denominator.
    denominator: [
        0.000_690_990_489, 0.025_404_376_4, 0.282_974_861, 1.411_725_98, 3.638_005_33, 5.032_788_8, 3.547_713_41,
        1.0,
    ];
}
