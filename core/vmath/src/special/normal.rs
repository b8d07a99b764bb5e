//! Inverses of the error function and of the normal distribution.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use super::precision::{Precision, polynomial};

/// The inverse error function: infinite at -1 and 1, NaN beyond.
///
/// A first value from the expansion of Winitzki, then Halley's method on `erf(y) - x`, or on `erfc` in the tails.
pub fn erfinv(x: f64) -> f64 {
    if x.abs() >= 1.0 || x.is_nan() || x == 0.0 {
        return if x.abs() == 1.0 {
            x * f64::INFINITY
        } else if x == 0.0 {
            x
        } else {
            f64::NAN
        };
    }
    let (target, tail) = (x.abs(), 1.0 - x.abs());
    let log = (tail * (1.0 + target)).ln();
    let mean = 2.0 / (PI * 0.147) + log / 2.0;
    let mut y = ((mean * mean - log / 0.147).sqrt() - mean).sqrt();
    for _ in 0..3 {
        let difference = if target < 0.5 { libm::erf(y) - target } else { tail - libm::erfc(y) };
        let step = difference / (FRAC_2_SQRT_PI * (-y * y).exp());
        y -= step / (1.0 + y * step);
    }
    y.copysign(x)
}

/// The number below which a normal variable lies with probability `p`: infinite at 0 and 1, NaN beyond.
///
/// By the rational functions of the Cephes library (Moshier, `ndtri.c`, 1992): one for the middle, two for the tails.
pub fn ndtri<T: Precision>(p: T) -> T {
    let (one, edge) = (T::one(), T::of(0.135_335_283_236_612_7));
    if p == T::zero() {
        return T::neg_infinity();
    }
    if p == one {
        return T::infinity();
    }
    let is_upper = p > one - edge;
    let part = if is_upper { one - p } else { p };
    if part > edge {
        let (half, root) = (T::of(0.5), T::of(2.506_628_274_631_000_7));
        let offset = part - half;
        let square = offset * offset;
        return (offset * (square * ratio(square, &MIDDLE)) + offset) * root;
    }
    let size = tail(part);
    if is_upper { size } else { -size }
}

/// The distance from 0 beyond which a normal variable lies with probability `p`, at most `exp(-2)`.
fn tail<T: Precision>(p: T) -> T {
    let x = (T::of(-2.0) * p.ln()).sqrt();
    let z = T::one() / x;
    let correction = z * ratio(z, if x < T::of(8.0) { &NEAR_TAIL } else { &FAR_TAIL });
    x - x.ln() / x - correction
}

/// Numerator and denominator, coefficients of the highest power first.
type Ratio = (&'static [f64], &'static [f64]);

fn ratio<T: Precision>(x: T, (above, below): &Ratio) -> T {
    polynomial(x, above) / polynomial(x, below)
}

/// In the square of `p - 1/2`.
const MIDDLE: Ratio = (
    &[
        -59.963_350_101_410_79,
        98.001_075_418_599_97,
        -56.676_285_746_907_03,
        13.931_260_938_727_968,
        -1.239_165_838_673_812_5,
    ],
    &[
        1.0,
        1.954_488_583_381_417_6,
        4.676_279_128_988_815,
        86.360_242_139_089_05,
        -225.462_687_854_119_37,
        200.260_212_380_060_66,
        -82.037_225_616_833_34,
        15.905_622_512_621_17,
        -1.183_316_211_213_3,
    ],
);

/// In `1 / x` for `x = sqrt(-2 ln(p))` from 2 to 8.
const NEAR_TAIL: Ratio = (
    &[
        4.055_448_923_059_624_5,
        31.525_109_459_989_388,
        57.162_819_224_642_13,
        44.080_507_389_320_08,
        14.684_956_192_885_803,
        2.186_633_068_507_902_5,
        -0.140_256_079_171_354_5,
        -0.035_042_462_682_784_82,
        -0.000_857_456_785_154_685_4,
    ],
    &[
        1.0,
        15.779_988_325_646_675,
        45.390_763_512_887_92,
        41.317_203_825_467_2,
        15.042_538_569_290_75,
        2.504_649_462_083_094,
        -0.142_182_922_854_787_79,
        -0.038_080_640_769_157_83,
        -0.000_933_259_480_895_457_4,
    ],
);

/// As [`NEAR_TAIL`], for `x` from 8 to 64.
const FAR_TAIL: Ratio = (
    &[
        3.237_748_917_769_460_3,
        6.915_228_890_689_842,
        3.938_810_252_924_744_4,
        1.333_034_608_158_075_5,
        0.201_485_389_549_179_08,
        0.012_371_663_481_782_003,
        0.000_301_581_553_508_235_43,
        2.658_069_746_867_375_5e-6,
        6.239_745_391_849_833e-9,
    ],
    &[
        1.0,
        6.024_270_393_647_42,
        3.679_835_638_561_608_7,
        1.377_020_994_890_813_2,
        0.216_236_993_594_496_63,
        0.013_420_400_608_854_318,
        0.000_328_014_464_682_127_74,
        2.892_478_647_453_806_8e-6,
        6.790_194_080_099_813e-9,
    ],
);

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use super::*;

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for p in [1e-300, 1e-100, 1e-20, 1e-5, 0.01, 0.2, 0.25, 0.3, 0.4999, 0.5] {
            let x = ndtri(p);
            assert!((0.5 * libm::erfc(-x / SQRT_2) / p - 1.0).abs() < 1e-12, "{p}: {x}");
            assert!(p < 1e-10 || (ndtri(1.0 - p) + x).abs() < 1e-9 * (1.0 + x.abs()), "{p}: {x}");
        }
        assert_eq!((ndtri(0.0), ndtri(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(ndtri(-0.1f64).is_nan() && ndtri(1.1f64).is_nan() && ndtri(f64::NAN).is_nan());
        assert!((ndtri(1e-30f32) / -11.464_025 - 1.0).abs() < 1e-6 && ndtri(0.5f32) == 0.0);
    }
}
