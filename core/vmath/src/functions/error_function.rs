//! Error functions.

use super::double::{exp_f64, polynomial_f64};
use super::exponential::exp_of_small;
use super::polynomial;
use crate::loops::multiply_add;

/// The error function; error below 2.
#[inline(always)]
pub fn erf<const FUSED: bool>(x: f32) -> f32 {
    let magnitude = x.abs();
    let square = x * x;
    let q = polynomial::<FUSED, 7>(
        square,
        [0.128_379_17, -0.376_126_27, 0.112_836, -0.026_854_445, 0.005_189_535, -8.020_839e-4, 7.889_11e-5],
    );
    let small = multiply_add::<FUSED>(x, q, x);
    let a = if magnitude > 4.0 { 4.0 } else { magnitude };
    let q = polynomial::<FUSED, 8>(
        a,
        [
            1.128_599_6,
            0.635_410_2,
            0.105_668_93,
            -0.023_091_509,
            0.003_181_939_5,
            -1.387_244_4e-4,
            -2.843_984_2e-5,
            3.557_331e-6,
        ],
    );
    let large = (1.0 - exp_of_small::<FUSED>(-a * q)).copysign(x);
    if magnitude < 1.0 { small } else { large }
}

/// `1 - erf(x)`; error below 1.
#[inline(always)]
pub fn erfc<const FUSED: bool>(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let a = if a > 10.2 { 10.2 } else { a };
    let t = 2.0 / (2.0 + a);
    let q = polynomial_f64::<FUSED, 13>(
        t,
        [
            0.2820979197600708,
            0.2819954041148499,
            0.24822821225786726,
            0.16488486464824625,
            0.14433081400016948,
            -0.222379113208061,
            0.4826127854173128,
            -0.9560847208214387,
            0.9535082554602431,
            -0.47833543457444083,
            0.09211608899648448,
            0.013366586842964741,
            -0.006341662979678918,
        ],
    );
    let tail = t * q * exp_f64::<FUSED>(-a * a);
    (if x < 0.0 { 2.0 - tail } else { tail }) as f32
}
