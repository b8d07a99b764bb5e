//! Integrals of elementary functions: Dawson's, the exponential one, Fresnel's, the dilogarithm. Those of Fresnel and
//! the dilogarithm are rational functions of the Cephes library (Moshier, `fresnl.c`, 1989, and `spence.c`, 1987).

use std::f64::consts::{FRAC_PI_2, PI};

use super::precision::{Precision, polynomial};

/// Dawson's integral, `exp(-x²)` times the integral of `exp(t²)` from 0 to `x`.
///
/// DLMF 7.6.3 up to 7, all of whose terms are positive, and the asymptotic series of 7.12.1 beyond. From 1e9 on the
/// value is positive whatever the sign, as TensorFlow has it.
pub fn dawsn<T: Precision>(x: T) -> T {
    const FAR: f64 = 7.0;
    const UNSIGNED: f64 = 1e9;
    let size = x.abs().double();
    let square = size * size;
    let value = if size < FAR {
        // What the square loses by rounding counts in the exponential.
        let rest = size.mul_add(size, -square);
        let mut power = size;
        let sum = series(size, |k| {
            power *= square / f64::from(k);
            power / f64::from(2 * k + 1)
        });
        sum * (-square).exp() * (1.0 - rest)
    } else {
        let step = 0.5 / square;
        let mut term = 1.0;
        let sum = series(1.0, |k| {
            term *= step * f64::from(2 * k - 1);
            term
        });
        0.5 / size * sum
    };
    T::of(if size < UNSIGNED { value.copysign(x.double()) } else { value })
}

/// The exponential integral Ei: the principal value of the integral of `exp(t) / t` up to `x`; NaN where `x` is
/// negative, or its inverse below the smallest normal number. Infinite as soon as `exp(x)` is.
///
/// DLMF 6.6.2 up to 40, and the asymptotic series of 6.12.2 beyond.
pub fn expint<T: Precision>(x: T) -> T {
    const FAR: f64 = 40.0;
    const EULER: f64 = 0.577_215_664_901_532_9;
    let double = x.double();
    if double < 0.0 {
        return T::nan();
    }
    if double < FAR {
        let mut power = 1.0;
        let sum = series(0.0, |k| {
            power *= double / f64::from(k);
            power / f64::from(k)
        });
        return T::of(EULER + double.ln() + sum);
    }
    let mut term = 1.0;
    let sum = series(1.0, |k| {
        term *= f64::from(k) / double;
        term
    });
    let factor = x.exp();
    if has_no_inverse(x) {
        return T::nan();
    }
    if factor.is_infinite() { factor } else { T::of(double.exp() / double * sum) }
}

/// Whether the inverse is below the smallest normal number, which TensorFlow takes for 0.
fn has_no_inverse<T: Precision>(x: T) -> bool {
    T::one() / x < T::min_positive_value()
}

/// The sum of `first` and terms, numbered from 1, until they do not count.
fn series(first: f64, mut term: impl FnMut(u32) -> f64) -> f64 {
    let mut sum = first;
    for k in 1..200 {
        let added = term(k);
        sum += added;
        if added <= 0.25 * f64::EPSILON * sum {
            break;
        }
    }
    sum
}

/// The Fresnel integral of the cosine, of `cos(π t² / 2)` from 0 to `x`.
pub fn fresnel_cos<T: Precision>(x: T) -> T {
    let near = |x: f64, fourth: f64| x * polynomial(fourth, &C) / polynomial(fourth, &C_BELOW);
    fresnel(x, near, |f, g, angle| f * angle.sin() - g * angle.cos())
}

/// The Fresnel integral of the sine, of `sin(π t² / 2)` from 0 to `x`.
pub fn fresnel_sin<T: Precision>(x: T) -> T {
    let near = |x: f64, fourth: f64| x * (x * x) * polynomial(fourth, &S) / polynomial(fourth, &S_BELOW);
    fresnel(x, near, |f, g, angle| -(f * angle.cos() + g * angle.sin()))
}

/// The integral by `near` for small `x`; for others 1/2 and what `oscillation` makes of the auxiliary functions and the
/// angle, whose rounding decides the values of large `x`; beyond 36974, 1/2.
fn fresnel<T: Precision>(x: T, near: impl Fn(f64, f64) -> f64, oscillation: impl Fn(f64, f64, f64) -> f64) -> T {
    let (size, square) = (x.abs().double(), x * x);
    let double = size * size;
    let value = if double < 2.5625 {
        near(size, double * double)
    } else if size > 36_974.0 {
        0.5
    } else {
        let inverse = 1.0 / (PI * double);
        let step = inverse * inverse;
        let f = 1.0 - step * polynomial(step, &F) / polynomial(step, &F_BELOW);
        let g = inverse * polynomial(step, &G) / polynomial(step, &G_BELOW);
        0.5 + oscillation(f, g, (T::of(FRAC_PI_2) * square).double()) / (PI * size)
    };
    T::of(value.copysign(x.double()))
}

/// The dilogarithm of `1 - x`: the integral of `ln(t) / (1 - t)` from 1 to `x`. NaN where `x` is negative, or its
/// inverse below the smallest normal number.
pub fn spence<T: Precision>(x: T) -> T {
    let is_beyond = has_no_inverse(x);
    let x = x.double();
    if x == 0.0 {
        return T::of(PI * PI / 6.0);
    }
    if x < 0.0 || is_beyond {
        return T::nan();
    }
    // Of the inverse, where that is nearer to 1; and of 1 - x, where that is.
    let (inner, is_inverted) = if x > 2.0 { (1.0 / x, true) } else { (x, x > 1.5) };
    let near = |w: f64| -w * polynomial(w, &NUMERATOR) / polynomial(w, &DENOMINATOR);
    let value = if inner > 1.5 {
        near(1.0 / inner - 1.0)
    } else if inner < 0.5 {
        PI * PI / 6.0 - inner.ln() * (1.0 - inner).ln() - near(-inner)
    } else {
        near(inner - 1.0)
    };
    let log = inner.ln();
    T::of(if is_inverted { -0.5 * log * log - value } else { value })
}

/// The numerator of `S / x³` for small `x`, in `x⁴`.
const S: [f64; 6] = [
    -2_991.819_194_010_198_3,
    708_840.045_257_738_6,
    -62_974_148.620_586_25,
    2_548_908_805.733_763_7,
    -44_297_951_805.969_78,
    318_016_297_876.567_8,
];

/// Its denominator.
const S_BELOW: [f64; 7] = [
    1.0,
    281.376_268_889_994_3,
    45_584.781_080_653_26,
    5_173_438.887_700_964,
    419_320_245.898_111_2,
    22_441_179_564.534_092,
    607_366_389_490.084_6,
];

/// The numerator of `C / x` for small `x`, in `x⁴`.
const C: [f64; 6] = [
    -4.988_431_145_735_735_4e-8,
    9.504_280_628_298_596e-6,
    -0.000_645_191_435_683_965_1,
    0.018_884_331_939_670_384,
    -0.205_525_900_955_013_88,
    1.0,
];

/// Its denominator.
const C_BELOW: [f64; 7] = [
    3.999_829_689_724_96e-12,
    9.154_392_157_746_574e-10,
    1.250_018_624_795_988_2e-7,
    1.222_627_890_241_790_2e-5,
    0.000_868_029_542_941_784_3,
    0.041_214_209_072_219_98,
    1.0,
];

/// The numerator of the auxiliary function f, in `1 / (π x²)²`.
const F: [f64; 10] = [
    0.421_543_555_043_677_5,
    0.143_407_919_780_758_9,
    0.011_522_095_507_358_577,
    0.000_345_017_939_782_574,
    4.636_137_492_878_673_5e-6,
    3.055_689_837_902_576e-8,
    1.023_045_141_649_072_4e-10,
    1.720_107_432_681_618_3e-13,
    1.342_832_762_330_627_5e-16,
    3.763_297_112_699_879e-20,
];

/// Its denominator.
const F_BELOW: [f64; 11] = [
    1.0,
    0.751_586_398_353_378_9,
    0.116_888_925_859_191_38,
    0.006_440_515_265_088_586_5,
    0.000_155_934_409_164_153_01,
    1.846_275_673_489_305_5e-6,
    1.126_992_247_639_990_3e-8,
    3.601_400_295_893_713_6e-11,
    5.887_545_336_215_784e-14,
    4.520_014_340_741_297_3e-17,
    1.254_432_370_900_112_7e-20,
];

/// The numerator of the auxiliary function g.
const G: [f64; 11] = [
    0.504_442_073_643_383_2,
    0.197_102_833_525_523_4,
    0.018_764_858_409_257_526,
    0.000_684_079_380_915_393_1,
    1.151_388_261_118_842_8e-5,
    9.828_524_436_884_223e-8,
    4.453_444_158_617_501_5e-10,
    1.082_680_411_390_208_8e-12,
    1.375_554_606_332_618e-15,
    8.363_544_356_306_774e-19,
    1.869_587_101_627_832_4e-22,
];

/// Its denominator.
const G_BELOW: [f64; 12] = [
    1.0,
    1.474_957_599_251_283_3,
    0.337_748_989_120_02,
    0.025_360_374_142_033_88,
    0.000_814_679_107_184_306_1,
    1.275_450_756_677_291_2e-5,
    1.043_145_896_575_719_9e-7,
    4.606_807_281_465_204_3e-10,
    1.102_732_150_662_402_8e-12,
    1.387_965_312_595_788_6e-15,
    8.391_588_162_831_187e-19,
    1.869_587_101_627_832_4e-22,
];

/// The numerator of the dilogarithm over `1 - x` near 1, in `x - 1`.
const NUMERATOR: [f64; 8] = [
    4.651_285_860_739_900_3e-5,
    0.007_315_890_452_380_947,
    0.133_847_639_578_309_03,
    0.879_691_311_754_530_3,
    2.711_498_511_965_534_6,
    4.256_971_560_081_218,
    3.297_713_409_852_251,
    1.0,
];

/// Its denominator.
const DENOMINATOR: [f64; 8] = [
    0.000_690_990_488_912_553_3,
    0.025_404_376_393_254_44,
    0.282_974_860_602_568_1,
    1.411_725_977_518_310_6,
    3.638_005_333_451_370_7,
    5.032_788_801_433_17,
    3.547_713_409_852_251,
    1.0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_known() {
        let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 2e-15, "{found} {wanted}");
        near(dawsn(1.0), 0.538_079_506_912_768_4);
        near(dawsn(-7.0), -0.072_180_974_658_236_29);
        near(expint(1.0), 1.895_117_816_355_936_8);
        near(expint(20.0), 25_615_652.664_056_588);
        near(fresnel_cos(1.0), 0.779_893_400_376_822_8);
        near(fresnel_sin(2.0), 0.343_415_678_363_698_2);
        near(spence(0.5), PI * PI / 12.0 - 0.5 * 2f64.ln().powi(2));
        near(spence(2.0), -PI * PI / 12.0);
    }

    #[test]
    fn ends_of_the_ranges() {
        assert_eq!((expint(0.0f64), expint(89.0f32), spence(1.0f64)), (f64::NEG_INFINITY, f32::INFINITY, 0.0));
        assert!(expint(-1.0f64).is_nan() && expint(f32::INFINITY).is_nan() && spence(f64::INFINITY).is_nan());
        assert_eq!((fresnel_cos(f64::INFINITY), fresnel_sin(-1e6f32), dawsn(f64::INFINITY)), (0.5, -0.5, 0.0));
        assert!(dawsn(f64::NAN).is_nan() && fresnel_cos(f32::NAN).is_nan());
    }
}
