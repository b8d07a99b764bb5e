//! Every function against double precision, over all magnitudes of both signs.

use super::*;

/// The error of `value` in units in the last place of the exact value.
fn ulps(value: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if value == rounded || (value.is_nan() && rounded.is_nan()) {
        return 0.0;
    }
    if !value.is_finite() || !rounded.is_finite() {
        return f64::INFINITY;
    }
    let exponent = (exact.abs().log2().floor() as i32).max(-126);
    (f64::from(value) - exact).abs() / 2f64.powi(exponent - 23)
}

/// Special values, then every 20,011th number of both signs.
fn arguments() -> impl Iterator<Item = f32> {
    let special =
        [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1.0, -1.0, f32::MAX, f32::MIN_POSITIVE, 1e-45];
    special.into_iter().chain((0..=u32::MAX).step_by(20_011).map(f32::from_bits))
}

/// Checks the fused and the plain form of `f` at all arguments up to `limit` in magnitude.
fn check(name: &str, f: [fn(f32) -> f32; 2], exact: fn(f64) -> f64, limit: f32, bound: f64) {
    for f in f {
        let mut worst = (0.0, 0.0);
        for x in arguments().filter(|x| x.abs() <= limit || x.is_nan() || limit.is_infinite()) {
            let error = ulps(f(x), exact(f64::from(x)));
            if error > worst.0 {
                worst = (error, x);
            }
        }
        let (error, x) = worst;
        println!("{name}: {error:.3} at {x:e}");
        assert!(error <= bound, "{name}({x:e}) = {:e} is wrong by {error} units", f(x));
    }
}

macro_rules! bounds {
    ($($name:ident $exact:expr, $limit:expr, $bound:expr;)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name), [super::$name::<true>, super::$name::<false>], $exact, $limit, $bound);
        }
    )*};
}

bounds! {
    exp f64::exp, f32::INFINITY, 1.1;
    expm1 f64::exp_m1, f32::INFINITY, 1.5;
    log f64::ln, f32::INFINITY, 1.5;
    log1p f64::ln_1p, f32::INFINITY, 2.0;
    sigmoid |x| 1.0 / (1.0 + (-x).exp()), f32::INFINITY, 2.5;
    swish |x| x / (1.0 + (-x).exp()), 87.0, 3.0;
    tanh f64::tanh, f32::INFINITY, 2.5;
    sinh f64::sinh, f32::INFINITY, 1.0;
    cosh f64::cosh, f32::INFINITY, 1.0;
    asinh f64::asinh, f32::INFINITY, 1.0;
    acosh f64::acosh, f32::INFINITY, 1.0;
    atanh f64::atanh, f32::INFINITY, 1.0;
    sin f64::sin, TRIGONOMETRIC_LIMIT, 1.6;
    cos f64::cos, TRIGONOMETRIC_LIMIT, 1.6;
    tan f64::tan, TRIGONOMETRIC_LIMIT, 1.0;
    asin f64::asin, f32::INFINITY, 2.0;
    acos f64::acos, f32::INFINITY, 2.0;
    atan f64::atan, f32::INFINITY, 2.0;
    erf libm::erf, f32::INFINITY, 2.0;
    erfc libm::erfc, f32::INFINITY, 1.0;
}

#[test]
fn functions_of_two_numbers() {
    let special =
        [0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 1e-3, 1e-40, 88.0, 1e10, 8_388_609.0, 16_777_216.0, f32::INFINITY, f32::NAN];
    let values: Vec<f32> =
        special.iter().flat_map(|&x| [x, -x]).chain((1..200).map(|i| 1.7f32.powi(i % 61 - 30))).collect();
    for &x in &values {
        for &y in &values {
            let (a, b) = (f64::from(x), f64::from(y));
            assert!(ulps(pow::<true>(x, y), a.powf(b)) <= 1.0, "pow({x:e}, {y:e}) = {:e}", pow::<true>(x, y));
            assert!(ulps(pow::<false>(x, y), a.powf(b)) <= 1.0, "pow({x:e}, {y:e}) = {:e}", pow::<false>(x, y));
            assert!(ulps(atan2::<true>(x, y), a.atan2(b)) <= 1.0, "atan2({x:e}, {y:e}) = {:e}", atan2::<true>(x, y));
            let negative = atan2::<true>(x, y).is_sign_negative();
            assert!(x.is_nan() || y.is_nan() || negative == a.atan2(b).is_sign_negative(), "atan2({x:e}, {y:e})");
        }
    }
}
