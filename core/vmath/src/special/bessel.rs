//! Modified Bessel functions of the first kind, also scaled, by the Chebyshev series of the Cephes library (Moshier,
//! `i0.c` and `i1.c`, 1987). In single precision the series lack the terms that do not count there.

use super::precision::Precision;

/// The modified Bessel function of the first kind of order 0; infinite as soon as `exp(|x|)` is, NaN for infinite `x`.
pub fn bessel_i0<T: Precision>(x: T) -> T {
    x.abs().exp() * bessel_i0e(x)
}

/// The modified Bessel function of the first kind of order 1; infinite as soon as `exp(|x|)` is, NaN for infinite `x`.
pub fn bessel_i1<T: Precision>(x: T) -> T {
    x.abs().exp() * bessel_i1e(x)
}

/// `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
pub fn bessel_i0e<T: Precision>(x: T) -> T {
    scaled(x.abs(), T::one(), &I0_NEAR, &I0_FAR, 18)
}

/// `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
pub fn bessel_i1e<T: Precision>(x: T) -> T {
    let size = scaled(x.abs(), x.abs(), &I1_NEAR, &I1_FAR, 17);
    if x < T::zero() { -size } else { size }
}

/// Terms of the series beyond 8 in single precision.
const FAR_TERMS: usize = 7;

/// `factor` times the series for `[0, 8]`, or that for larger `x` over the root of `x`.
fn scaled<T: Precision>(x: T, factor: T, near: &[f64], far: &[f64], single: usize) -> T {
    let last = |series: &[f64], count: usize| if T::IS_SINGLE { series.len() - count } else { 0 };
    if x <= T::of(8.0) {
        return factor * chebyshev(T::of(0.5) * x - T::of(2.0), &near[last(near, single)..]);
    }
    chebyshev(T::of(32.0) / x - T::of(2.0), &far[last(far, FAR_TERMS)..]) * (T::one() / x.sqrt())
}

/// The sum of Chebyshev polynomials at `x / 2`, the last one halved, by Clenshaw's recurrence.
pub(super) fn chebyshev<T: Precision>(x: T, coefficients: &[f64]) -> T {
    let (mut sum, mut last, mut before) = (T::of(coefficients[0]), T::zero(), T::zero());
    for &coefficient in &coefficients[1..] {
        before = last;
        last = sum;
        sum = x * last + T::of(coefficient) - before;
    }
    T::of(0.5) * (sum - before)
}

/// Of order 0 in `[0, 8]`, in `x / 2 - 2`.
const I0_NEAR: [f64; 30] = [
    -4.415_341_646_479_339_5e-18,
    3.330_794_518_822_238_4e-17,
    -2.431_279_846_547_955e-16,
    1.715_391_285_555_133e-15,
    -1.168_533_287_799_345_1e-14,
    7.676_185_498_604_936e-14,
    -4.856_446_783_111_929e-13,
    2.955_052_663_129_64e-12,
    -1.726_826_291_441_556e-11,
    9.675_809_035_373_237e-11,
    -5.189_795_601_635_263e-10,
    2.659_823_724_682_386_6e-9,
    -1.300_025_009_986_248e-8,
    6.046_995_022_541_919e-8,
    -2.670_793_853_940_612e-7,
    1.117_387_539_120_103_7e-6,
    -4.416_738_358_458_750_5e-6,
    1.644_844_807_072_889_6e-5,
    -5.754_195_010_082_104e-5,
    0.000_188_502_885_095_841_65,
    -0.000_576_375_574_538_582_4,
    0.001_639_475_616_941_335_7,
    -0.004_324_309_995_050_576,
    0.010_546_460_394_594_998,
    -0.023_737_414_805_899_47,
    0.049_305_284_239_670_71,
    -0.094_901_097_048_047_64,
    0.171_620_901_522_208_77,
    -0.304_682_672_343_198_4,
    0.676_795_274_409_476_1,
];

/// Of order 0 beyond 8, in `32 / x - 2`, times the root of `x`.
const I0_FAR: [f64; 25] = [
    -7.233_180_487_874_754e-18,
    -4.830_504_485_944_182e-18,
    4.465_621_420_296_76e-17,
    3.461_222_867_697_461e-17,
    -2.827_623_980_516_583_6e-16,
    -3.425_485_619_677_219e-16,
    1.772_560_133_056_526_3e-15,
    3.811_680_669_352_622_4e-15,
    -9.554_846_698_828_307e-15,
    -4.150_569_347_287_222e-14,
    1.540_086_217_521_41e-14,
    3.852_778_382_742_142_6e-13,
    7.180_124_451_383_666e-13,
    -1.794_178_531_506_806_2e-12,
    -1.321_581_184_044_771_3e-11,
    -3.149_916_527_963_241_6e-11,
    1.188_914_710_784_643_9e-11,
    4.940_602_388_224_97e-10,
    3.396_232_025_708_386_5e-9,
    2.266_668_990_498_178e-8,
    2.048_918_589_469_063_8e-7,
    2.891_370_520_834_756_7e-6,
    6.889_758_346_916_825e-5,
    0.003_369_116_478_255_694_3,
    0.804_490_411_014_108_8,
];

/// Of order 1 over `x` in `[0, 8]`.
const I1_NEAR: [f64; 29] = [
    2.777_914_112_761_046_4e-18,
    -2.111_421_214_358_166e-17,
    1.553_631_957_736_200_5e-16,
    -1.105_596_947_735_386_2e-15,
    7.600_684_294_735_408e-15,
    -5.042_185_504_727_912e-14,
    3.223_793_365_945_575e-13,
    -1.983_974_397_764_943_6e-12,
    1.173_618_629_889_090_1e-11,
    -6.663_489_723_502_027e-11,
    3.625_590_281_552_117e-10,
    -1.887_249_751_722_829_4e-9,
    9.381_537_386_495_773e-9,
    -4.445_059_128_796_328e-8,
    2.003_294_753_552_135_3e-7,
    -8.568_720_264_695_455e-7,
    3.470_251_308_137_678_5e-6,
    -1.327_316_365_603_943_6e-5,
    4.781_565_107_550_054e-5,
    -0.000_161_760_815_825_896_74,
    0.000_512_285_956_168_575_8,
    -0.001_513_572_450_631_253_2,
    0.004_156_422_944_312_888,
    -0.010_564_084_894_626_197,
    0.024_726_449_030_626_516,
    -0.052_945_981_208_094_99,
    0.102_643_658_689_847_1,
    -0.176_416_518_357_834_06,
    0.252_587_186_443_633_65,
];

/// Of order 1 beyond 8, times the root of `x`.
const I1_FAR: [f64; 25] = [
    7.517_296_310_842_105e-18,
    4.414_348_323_071_708e-18,
    -4.650_305_368_489_358_6e-17,
    -3.209_525_921_993_424e-17,
    2.962_628_997_645_95e-16,
    3.308_202_310_920_928_5e-16,
    -1.880_354_775_510_782_5e-15,
    -3.814_403_072_437_007_5e-15,
    1.042_027_698_412_880_2e-14,
    4.272_440_016_711_951e-14,
    -2.101_541_842_772_664_3e-14,
    -4.083_551_111_092_197_4e-13,
    -7.198_551_776_245_908e-13,
    2.035_628_544_147_089_6e-12,
    1.412_580_743_661_378_2e-11,
    3.252_603_583_015_488_4e-11,
    -1.897_495_812_350_541_3e-11,
    -5.589_743_462_196_584e-10,
    -3.835_380_385_964_237e-9,
    -2.631_468_846_889_519_6e-8,
    -2.512_236_237_870_209e-7,
    -3.882_564_808_877_691e-6,
    -0.000_110_588_938_762_623_71,
    -0.009_761_097_491_361_469,
    0.778_576_235_018_280_1,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The power series (DLMF 10.25.2).
    fn series(x: f64, order: i32) -> f64 {
        let mut term = (0.5 * x).powi(order);
        let mut sum = term;
        for k in 1..100 {
            term *= 0.25 * x * x / f64::from(k * (k + order));
            sum += term;
        }
        sum * (-x).exp()
    }

    #[test]
    fn the_functions_agree_with_their_power_series() {
        for x in [0.1, 1.0, 4.0, 7.9, 8.1, 15.0, 20.0] {
            for (order, value, single) in
                [(0, bessel_i0e(x), bessel_i0e(x as f32)), (1, bessel_i1e(x), bessel_i1e(x as f32))]
            {
                let wanted = series(x, order);
                assert!((value / wanted - 1.0).abs() < 4e-15, "{x}");
                assert!((f64::from(single) / wanted - 1.0).abs() < 2e-6, "{x}");
            }
        }
        assert_eq!((bessel_i0e(0.0), bessel_i1e(0.0), bessel_i0e(f64::INFINITY)), (1.0, 0.0, 0.0));
        assert!(bessel_i0e(f64::NAN).is_nan() && bessel_i1e(f32::NAN).is_nan());
    }
}
