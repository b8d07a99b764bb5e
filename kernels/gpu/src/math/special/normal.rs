//! The quantile of the normal distribution.

use oplink::prelude::*;
use oplink_ops::math::Ndtri;

use super::polynomials;

/// The number below which a normal variable lies with probability `x`: infinite at 0 and 1, NaN beyond.
#[kernel(Ndtri, device = GPU, scalar, T = [f32])]
fn ndtri<T: Float>(x: T) -> T {
    let p = x.to_f32();
    let is_upper = p > 1.0 - 0.135_335_29;
    let part = if is_upper { 1.0 - p } else { p };
    let offset = part - 0.5;
    let square = offset * offset;
    let mut value = (offset * (square * middle_above(square) / middle_below(square)) + offset) * 2.506_628_3;
    if part <= 0.135_335_29 {
        let far = (-2.0 * part.ln()).sqrt();
        let inverse = 1.0 / far;
        let mut correction = inverse * far_above(inverse) / far_below(inverse);
        if far < 8.0 {
            correction = inverse * near_above(inverse) / near_below(inverse);
        }
        let size = far - far.ln() / far - correction;
        value = if is_upper { size } else { -size };
    }
    if p == 0.0 {
        value = f32::NEG_INFINITY;
    }
    if p == 1.0 {
        value = f32::INFINITY;
    }
    T::from_f32(if p >= 0.0 && p <= 1.0 { value } else { f32::NAN })
}

polynomials! {
    /// The numerator of the middle, in the square of `p - 1/2`.
    middle_above: [
        -59.963_350_1, 98.001_075_4, -56.676_285_7, 13.931_260_9, -1.239_165_84,
    ];

    /// Its denominator.
    middle_below: [
        1.0, 1.954_488_58, 4.676_279_13, 86.360_242_1, -225.462_688, 200.260_212, -82.037_225_6, 15.905_622_5,
        -1.183_316_21,
    ];

    /// The numerator of the tail from 2 to 8, in `1 / sqrt(-2 ln(p))`.
    near_above: [
        4.055_448_92, 31.525_109_5, 57.162_819_2, 44.080_507_4, 14.684_956_2, 2.186_633_07, -0.140_256_079,
        -0.035_042_462_7, -0.000_857_456_785,
    ];

    /// Its denominator.
    near_below: [
        1.0, 15.779_988_3, 45.390_763_5, 41.317_203_8, 15.042_538_6, 2.504_649_46, -0.142_182_923,
        -0.038_080_640_8, -0.000_933_259_481,
    ];

    /// The numerator of the tail beyond 8.
    far_above: [
        3.237_748_92, 6.915_228_89, 3.938_810_25, 1.333_034_61, 0.201_485_39, 0.012_371_663_5, 0.000_301_581_554,
        2.658_069_75e-6, 6.239_745_39e-9,
    ];

    /// Its denominator.
    far_below: [
        1.0, 6.024_270_39, 3.679_835_64, 1.377_020_99, 0.216_236_994, 0.013_420_400_6, 0.000_328_014_465,
        2.892_478_65e-6, 6.790_194_08e-9,
    ];
}
