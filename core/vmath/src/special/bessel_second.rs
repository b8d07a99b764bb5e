//! Modified Bessel functions of the second kind, by the Chebyshev series of the Cephes library (Moshier, `k0.c` and
//! `k1.c`, 1987).

use super::bessel::{bessel_i0, bessel_i1, chebyshev};
use super::precision::Precision;

/// The modified Bessel function of the second kind of order 0; infinite where `x <= 0`.
pub fn bessel_k0<T: Precision>(x: T) -> T {
    second_kind(x, zero_near, &K0_FAR, false)
}

/// `exp(x)` times the modified Bessel function of the second kind of order 0; infinite where `x <= 0`.
pub fn bessel_k0e<T: Precision>(x: T) -> T {
    second_kind(x, zero_near, &K0_FAR, true)
}

/// The modified Bessel function of the second kind of order 1; infinite where `x <= 0`.
pub fn bessel_k1<T: Precision>(x: T) -> T {
    second_kind(x, one_near, &K1_FAR, false)
}

/// `exp(x)` times the modified Bessel function of the second kind of order 1; infinite where `x <= 0`.
pub fn bessel_k1e<T: Precision>(x: T) -> T {
    second_kind(x, one_near, &K1_FAR, true)
}

fn zero_near(x: f64) -> f64 {
    chebyshev(x * x - 2.0, &K0_NEAR) - (0.5 * x).ln() * bessel_i0(x)
}

fn one_near(x: f64) -> f64 {
    chebyshev(x * x - 2.0, &K1_NEAR) / x + (0.5 * x).ln() * bessel_i1(x)
}

/// The value by `near` up to 2, by a series beyond; 0 where `exp(-x)` is below the smallest normal number.
fn second_kind<T: Precision>(x: T, near: impl Fn(f64) -> f64, far: &[f64], is_scaled: bool) -> T {
    if x <= T::zero() {
        return T::infinity();
    }
    let double = x.double();
    if double <= 2.0 {
        return T::of(near(double) * if is_scaled { double.exp() } else { 1.0 });
    }
    let scaled = chebyshev(8.0 / double - 2.0, far) / double.sqrt();
    if is_scaled {
        return T::of(scaled);
    }
    let factor = (-double).exp();
    if factor < T::min_positive_value().double() { T::zero() } else { T::of(factor * scaled) }
}

/// `K0 + ln(x / 2) I0` in `[0, 2]`, in `x² - 2`.
const K0_NEAR: [f64; 10] = [
    1.374_465_435_613_523e-16,
    4.259_816_142_796_61e-14,
    1.034_969_525_763_384_2e-11,
    1.904_516_377_220_209e-9,
    2.534_791_079_026_149_4e-7,
    2.286_212_103_119_452e-5,
    0.001_264_615_411_446_926,
    0.035_979_936_515_361_5,
    0.344_289_899_924_628_5,
    -0.535_327_393_233_902_8,
];

/// `exp(x) K0` beyond 2, in `8 / x - 2`, times the root of `x`.
const K0_FAR: [f64; 25] = [
    5.300_433_772_686_263e-18,
    -1.647_580_430_152_421_2e-17,
    5.210_391_505_039_027_4e-17,
    -1.678_231_096_805_412e-16,
    5.512_055_978_524_319e-16,
    -1.848_593_377_343_779e-15,
    6.340_076_477_405_070_6e-15,
    -2.227_513_326_991_669_8e-14,
    8.032_890_775_363_575e-14,
    -2.980_096_923_172_730_3e-13,
    1.140_340_588_208_475e-12,
    -4.514_597_883_373_944e-12,
    1.855_949_114_954_717_7e-11,
    -7.957_489_244_477_107e-11,
    3.577_397_281_400_301e-10,
    -1.697_534_509_389_06e-9,
    8.574_034_017_414_225e-9,
    -4.660_489_897_687_948e-8,
    2.766_813_639_445_015e-7,
    -1.831_755_522_719_119_5e-6,
    1.394_981_371_887_65e-5,
    -0.000_128_495_495_816_278_02,
    0.001_569_883_885_730_053_3,
    -0.031_448_101_311_964_5,
    2.440_303_082_065_955_5,
];

/// `x (K1 - ln(x / 2) I1)` in `[0, 2]`, in `x² - 2`.
const K1_NEAR: [f64; 11] = [
    -7.023_863_479_386_288e-18,
    -2.427_449_850_519_366e-15,
    -6.666_901_694_199_329e-13,
    -1.411_488_392_633_527_8e-10,
    -2.213_387_630_734_726e-8,
    -2.433_406_141_565_968_4e-6,
    -0.000_173_028_895_751_305_2,
    -0.006_975_723_859_639_864,
    -0.122_611_180_822_657_15,
    -0.353_155_960_776_544_9,
    1.525_300_227_338_947_8,
];

/// `exp(x) K1` beyond 2, in `8 / x - 2`, times the root of `x`.
const K1_FAR: [f64; 25] = [
    -5.756_744_483_665_017e-18,
    1.794_050_873_147_559_2e-17,
    -5.689_462_558_442_859e-17,
    1.838_093_544_366_639e-16,
    -6.057_047_248_373_319e-16,
    2.038_703_165_624_334e-15,
    -7.019_837_090_418_314e-15,
    2.477_154_424_481_304_3e-14,
    -8.976_705_182_324_994e-14,
    3.348_419_666_078_429_3e-13,
    -1.289_173_960_951_028_9e-12,
    5.139_639_673_481_73e-12,
    -2.129_967_838_427_568_3e-11,
    9.218_315_187_605_006e-11,
    -4.190_354_759_341_896_5e-10,
    2.015_049_755_197_033e-9,
    -1.034_576_246_567_809_7e-8,
    5.741_084_125_450_049_5e-8,
    -3.501_960_603_087_812_6e-7,
    2.406_484_947_837_217e-6,
    -1.936_197_974_166_083e-5,
    0.000_195_215_518_471_351_62,
    -0.002_857_816_859_622_779,
    0.103_923_736_576_817_24,
    2.720_626_190_484_442_7,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::{bessel_i0e, bessel_i1e};

    #[test]
    fn wronskians_hold() {
        for x in [0.1f64, 1.0, 1.9, 2.1, 8.0, 40.0] {
            let found = bessel_i0e(x) * bessel_k1e(x) + bessel_i1e(x) * bessel_k0e(x);
            assert!((found * x - 1.0).abs() < 1e-14, "{x}");
            assert!((bessel_k0(x) / (bessel_k0e(x) * (-x).exp()) - 1.0).abs() < 1e-14, "{x}");
            assert!((f64::from(bessel_k1(x as f32)) / bessel_k1(f64::from(x as f32)) - 1.0).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn ends_of_the_ranges() {
        assert_eq!(
            (bessel_k0(0.0f64), bessel_k1(-1.0f32), bessel_k0(f64::INFINITY)),
            (f64::INFINITY, f32::INFINITY, 0.0)
        );
        assert!(bessel_k0(f64::NAN).is_nan() && bessel_k1e(f32::NAN).is_nan());
        assert_eq!((bessel_k0(89.0f32), bessel_k0e(1.0f64)), (0.0, 1.144_463_079_806_894_7));
    }
}
