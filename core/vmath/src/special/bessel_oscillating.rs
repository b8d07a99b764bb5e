//! Bessel functions of the first and the second kind, of the orders 0 and 1, by the rational functions of the Cephes
//! library (Moshier, `j0.c` and `j1.c`, 1989).

use std::f64::consts::{FRAC_2_PI, FRAC_PI_4};

use super::precision::{Precision, polynomial};

/// The Bessel function of the first kind of order 0.
pub fn bessel_j0<T: Precision>(x: T) -> T {
    let x = x.abs().double();
    if x <= NEAR { T::of(first_of_order_zero(x)) } else { far::<T>(x, &ZERO, false) }
}

/// The Bessel function of the first kind of order 1.
pub fn bessel_j1<T: Precision>(x: T) -> T {
    let size = x.abs().double();
    let value = if size <= NEAR { T::of(first_of_order_one(size)) } else { far::<T>(size, &ONE, false) };
    if x.is_sign_negative() { -value } else { value }
}

/// The Bessel function of the second kind of order 0; negative infinity where `x <= 0`.
pub fn bessel_y0<T: Precision>(x: T) -> T {
    let x = x.double();
    if x <= 0.0 {
        return T::neg_infinity();
    }
    if x > NEAR || x.is_nan() {
        return far::<T>(x, &ZERO, true);
    }
    T::of(ratio(x * x, &Y0, &Y0_BELOW) + FRAC_2_PI * x.ln() * first_of_order_zero(x))
}

/// The Bessel function of the second kind of order 1; negative infinity where `x <= 0`, but in single precision NaN at
/// 0.
pub fn bessel_y1<T: Precision>(x: T) -> T {
    let x = x.double();
    if x <= 0.0 {
        return if T::IS_SINGLE && x == 0.0 { T::nan() } else { T::neg_infinity() };
    }
    if x > NEAR || x.is_nan() {
        return far::<T>(x, &ONE, true);
    }
    T::of(x * ratio(x * x, &Y1, &Y1_BELOW) + FRAC_2_PI * (first_of_order_one(x) * x.ln() - 1.0 / x))
}

/// Up to here the functions are rational, and logarithms; beyond they oscillate.
const NEAR: f64 = 5.0;

fn ratio(x: f64, above: &[f64], below: &[f64]) -> f64 {
    polynomial(x, above) / polynomial(x, below)
}

fn first_of_order_zero(x: f64) -> f64 {
    let square = x * x;
    if x < 1e-5 {
        return 1.0 - square / 4.0;
    }
    (square - J0_ZEROS[0]) * (square - J0_ZEROS[1]) * ratio(square, &J0, &J0_BELOW)
}

fn first_of_order_one(x: f64) -> f64 {
    let square = x * x;
    x * ratio(square, &J1, &J1_BELOW) * (square - J1_ZEROS[0]) * (square - J1_ZEROS[1])
}

/// The asymptotic form of an order: the parts beside cosine and sine, and how far the angle lags behind.
struct Far {
    cosine: [&'static [f64]; 2],
    sine: [&'static [f64]; 2],
    lag: f64,
}

const ZERO: Far = Far { cosine: [&P0, &P0_BELOW], sine: [&Q0, &Q0_BELOW], lag: FRAC_PI_4 };
const ONE: Far = Far { cosine: [&P1, &P1_BELOW], sine: [&Q1, &Q1_BELOW], lag: 3.0 * FRAC_PI_4 };

/// The value beyond [`NEAR`]. In single precision the angle is a sum of two numbers of that precision, which is what
/// decides the values of large `x`.
fn far<T: Precision>(x: f64, order: &Far, second: bool) -> T {
    let inverse = 5.0 / x;
    let square = inverse * inverse;
    let cosine = ratio(square, order.cosine[0], order.cosine[1]);
    let sine = inverse * ratio(square, order.sine[0], order.sine[1]);
    let size = (FRAC_2_PI / x).sqrt();
    let value = if T::IS_SINGLE {
        let lead = T::of(sine.atan2(cosine) - order.lag);
        let angle = (lead + T::of(x)).double();
        cosine.hypot(sine) * if second { angle.sin() } else { angle.cos() }
    } else {
        let angle = x - order.lag;
        if second { cosine * angle.sin() + sine * angle.cos() } else { cosine * angle.cos() - sine * angle.sin() }
    };
    T::of(size * value)
}

/// The squares of the first two zeros of J0.
const J0_ZEROS: [f64; 2] = [5.783_185_962_946_785, 30.471_262_343_662_087];

/// The squares of the first two zeros of J1.
const J1_ZEROS: [f64; 2] = [14.681_970_642_123_893, 49.218_456_321_694_604];

/// The numerator of the modulus's cosine part of order 0 beyond 5, in `25 / x²`.
const P0: [f64; 7] = [
    0.000_796_936_729_297_347_1,
    0.082_835_239_210_744_08,
    1.239_533_716_464_143,
    5.447_250_030_587_687,
    8.747_165_001_998_17,
    5.303_240_382_353_949,
    1.0,
];

/// Its denominator.
const P0_BELOW: [f64; 7] = [
    0.000_924_408_810_558_863_7,
    0.085_628_847_435_447_45,
    1.253_527_439_010_589_5,
    5.470_977_403_304_171,
    8.761_908_832_370_695,
    5.306_052_882_353_947,
    1.0,
];

/// The numerator of the sine part of order 0.
const Q0: [f64; 8] = [
    -0.011_366_383_889_846_916,
    -1.282_527_186_705_093_1,
    -19.553_954_425_773_597,
    -93.206_015_212_376_83,
    -177.681_167_980_488_06,
    -147.077_505_154_951_18,
    -51.410_532_676_659_93,
    -6.050_143_506_007_285,
];

/// Its denominator.
const Q0_BELOW: [f64; 8] = [
    1.0,
    64.317_825_611_817_8,
    856.430_025_976_980_6,
    3_882.401_836_054_016_3,
    7_240.467_741_956_525,
    5_930.727_011_873_169,
    2_062.093_316_603_278_3,
    242.005_740_240_291_4,
];

/// The numerator of J0 in `[0, 5]`, over the factors of its first two zeros, in `x²`.
const J0: [f64; 4] =
    [-4_794_432_209.782_018, 1_956_174_919_465.565_7, -249_248_344_360_967.72, 9_708_622_510_473_064.0];

/// Its denominator.
const J0_BELOW: [f64; 9] = [
    1.0,
    499.563_147_152_651,
    173_785.401_676_374_7,
    48_440_965.833_996_21,
    11_185_553_704.535_683,
    2_112_775_201_154.892,
    310_518_229_857_422.56,
    3.181_219_559_432_049_6e16,
    1.710_862_940_810_431_5e18,
];

/// The numerator of `Y0 - 2 / π ln(x) J0` in `[0, 5]`, in `x²`.
const Y0: [f64; 8] = [
    15_592.436_785_523_574,
    -14_663_929.590_397_16,
    5_435_264_770.518_765,
    -982_136_065_717.911_5,
    87_590_639_439_536.7,
    -3_466_283_033_847_297.0,
    4.427_332_685_725_698_4e16,
    -1.849_508_004_369_866_8e16,
];

/// Its denominator.
const Y0_BELOW: [f64; 8] = [
    1.0,
    1_041.283_536_642_598_4,
    626_107.330_137_135,
    268_919_633.393_814_15,
    86_400_248_710.393_5,
    20_297_961_275_010.555,
    3_171_577_528_429_750.5,
    2.505_962_561_726_530_6e17,
];

/// As [`P0`], of order 1.
const P1: [f64; 7] = [
    0.000_762_125_616_208_173_1,
    0.073_139_705_694_091_76,
    1.127_196_081_296_849_3,
    5.112_079_511_468_076,
    8.424_045_901_417_724,
    5.214_515_986_823_615,
    1.0,
];

/// Its denominator.
const P1_BELOW: [f64; 7] = [
    0.000_571_323_128_072_548_7,
    0.068_845_590_875_449_54,
    1.105_142_326_340_617,
    5.073_863_861_286_015,
    8.399_855_543_276_042,
    5.209_828_486_823_619,
    1.0,
];

/// As [`Q0`], of order 1.
const Q1: [f64; 8] = [
    0.051_086_259_475_017_66,
    4.982_138_729_512_334,
    75.823_828_413_254_53,
    366.779_609_360_150_8,
    710.856_304_998_926_1,
    597.489_612_400_613_6,
    211.688_757_100_572_13,
    25.207_020_585_802_372,
];

/// Its denominator.
const Q1_BELOW: [f64; 8] = [
    1.0,
    74.237_327_703_567_52,
    1_056.448_860_382_628_3,
    4_986.410_583_376_536,
    9_562.318_924_047_562,
    7_997.041_604_473_507,
    2_826.192_785_176_390_8,
    336.093_607_810_698_3,
];

/// The numerator of `J1 / x` in `[0, 5]`, over the factors of its first two zeros, in `x²`.
const J1: [f64; 4] = [-899_971_225.705_559_4, 452_228_297_998.194_03, -72_749_424_522_181.83, 3_682_957_328_638_529.0];

/// Its denominator.
const J1_BELOW: [f64; 9] = [
    1.0,
    620.836_478_118_054_3,
    256_987.256_757_748_84,
    83_514_679.143_194_93,
    22_151_159_547.979_25,
    4_749_141_220_799.914,
    784_369_607_876_235.9,
    8.952_223_361_846_274e16,
    5.322_786_203_326_801e18,
];

/// The numerator of `(Y1 - 2 / π (ln(x) J1 - 1 / x)) / x` in `[0, 5]`, in `x²`.
const Y1: [f64; 6] = [
    1_263_204_747.901_780_4,
    -647_355_876_379.160_3,
    114_509_511_541_823.73,
    -8_127_702_555_013_251.0,
    2.024_394_757_135_949e17,
    -7.788_771_962_659_501e17,
];

/// Its denominator.
const Y1_BELOW: [f64; 9] = [
    1.0,
    594.301_592_346_128_2,
    235_564.092_943_068_56,
    73_481_194.445_972_17,
    18_760_131_610.870_617,
    3_882_312_774_962.385_7,
    620_557_727_146_953.8,
    6.871_410_873_553_005e16,
    3.972_706_081_165_606_4e18,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_known() {
        for (x, wanted) in [
            (
                1.0f64,
                [0.765_197_686_557_966_6, 0.440_050_585_744_933_5, 0.088_256_964_215_676_96, -0.781_212_821_300_288_7],
            ),
            (
                20.0,
                [
                    0.167_024_664_340_583_13,
                    0.066_833_124_175_850_05,
                    0.062_640_596_809_383_83,
                    -0.165_511_614_362_521_3,
                ],
            ),
        ] {
            let found = [bessel_j0(x), bessel_j1(x), bessel_y0(x), bessel_y1(x)];
            let single = [bessel_j0, bessel_j1, bessel_y0, bessel_y1].map(|f: fn(f32) -> f32| f(x as f32));
            for at in 0..4 {
                assert!((found[at] - wanted[at]).abs() < 1e-15, "{x} {at}: {}", found[at]);
                assert!((f64::from(single[at]) - wanted[at]).abs() < 1e-6, "{x} {at}: {}", single[at]);
            }
        }
    }

    #[test]
    fn wronskians_hold() {
        for x in [0.3f64, 2.0, 4.9, 5.1, 30.0] {
            let wanted = FRAC_2_PI / x;
            let found = bessel_j1(x) * bessel_y0(x) - bessel_j0(x) * bessel_y1(x);
            assert!((found / wanted - 1.0).abs() < 1e-13, "{x}");
        }
    }

    #[test]
    fn ends_of_the_ranges() {
        assert_eq!((bessel_j0(-0.0f64), bessel_j1(0.0f64), bessel_j1(-7.0f64)), (1.0, 0.0, -bessel_j1(7.0f64)));
        assert_eq!((bessel_y0(-1.0f32), bessel_y1(0.0f64)), (f32::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(bessel_j0(f32::INFINITY).is_nan() && bessel_y1(f64::NAN).is_nan());
    }
}
