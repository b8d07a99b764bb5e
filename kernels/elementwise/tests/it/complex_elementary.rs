//! Values of TensorFlow: elementary functions of complex numbers.

use oplink::prelude::*;

use crate::support::check;

#[test]
fn acos() {
    check(
        "Acos",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(1.2213573f32, -0.9261331),
            Complex::new(2.9987204f32, -1.3287634),
            Complex::new(1.8784f32, 1.8641616),
        ],
    );
}

#[test]
fn acosh() {
    check(
        "Acosh",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.9261331f32, 1.2213573),
            Complex::new(1.3287634f32, 2.9987204),
            Complex::new(1.8641616f32, -1.8784),
        ],
    );
}

#[test]
fn asin() {
    check(
        "Asin",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.34943905f32, 0.9261331),
            Complex::new(-1.4279242f32, 1.3287634),
            Complex::new(-0.30760363f32, -1.8641616),
        ],
    );
}

#[test]
fn asinh() {
    check("Asinh", [[Complex::new(0.0f32, -3.0)].into()], [Complex::new(1.7627472f32, -1.5707964)]);
    check(
        "Asinh",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.73285764f32, 0.8959074),
            Complex::new(-1.4492083f32, 0.11147792),
            Complex::new(-1.8241986f32, -1.2330952),
        ],
    );
}

#[test]
fn atan() {
    check(
        "Atan",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.90788746f32, 0.70830333),
            Complex::new(-1.1121113f32, 0.04954423),
            Complex::new(-1.4614619f32, -0.30594385),
        ],
    );
}

#[test]
fn atanh() {
    check(
        "Atanh",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.23887786f32, 0.84757566),
            Complex::new(-0.5358801f32, 1.4898776),
            Complex::new(-0.0919312f32, -1.276795),
        ],
    );
    let near_minus_one = Complex::new(-1.1100238170946704f64, -2.5360614230909714e-06);
    check("Atanh", [[near_minus_one].into()], [Complex::new(-1.476878826233029f64, -1.570785402694009)]);
}

#[test]
fn cos() {
    check(
        "Cos",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(1.3541806f32, -0.5634215),
            Complex::new(-0.4292193f32, 0.22969973),
            Complex::new(5.439581f32, -8.42975),
        ],
    );
}

#[test]
fn cosh() {
    check(
        "Cosh",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.6092589f32, 0.43848655),
            Complex::new(3.6452382f32, -0.89729965),
            Complex::new(-1.5276382f32, 0.1658444),
        ],
    );
}

#[test]
fn exp() {
    check(
        "Exp",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.8908078f32, 1.387351),
            Complex::new(0.13112803f32, 0.033482485),
            Complex::new(-0.3641979f32, -0.05191515),
        ],
    );
    check("Exp", [[Complex::new(f64::NEG_INFINITY, f64::NAN)].into()], [Complex::new(0.0f64, 0.0)]);
}

#[test]
fn expm1() {
    check("Expm1", [[Complex::new(-1.0f32, -3.0)].into()], [Complex::new(-1.364198f32, -0.05191515)]);
}

#[test]
fn log() {
    check(
        "Log",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.11157179f32, 1.1071488),
            Complex::new(0.7008993f32, 3.0172377),
            Complex::new(1.1512926f32, -1.8925469),
        ],
    );
    let near_one = Complex::new(0.9900094040968218f64, -0.005406343512014177);
    check("Log", [[near_one].into()], [Complex::new(-0.01002592631245584f64, -0.005460846885849)]);
}

#[test]
fn log1p() {
    check(
        "Log1p",
        [[Complex::new(0.5f32, 1.0), Complex::new(-1.0f32, -3.0)].into()],
        [Complex::new(0.5893275f32, 0.58800256), Complex::new(1.0986123f32, -1.5707964)],
    );
}

#[test]
fn rsqrt() {
    check(
        "Rsqrt",
        [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 2.0)].into()],
        [Complex::new(0.4f32, -0.2), Complex::new(0.35157758f32, -0.56886446)],
    );
}

#[test]
fn sigmoid() {
    check(
        "Sigmoid",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.65621036f32, 0.25225034),
            Complex::new(0.116700746f32, 0.026146512),
            Complex::new(-0.5623996f32, -0.12757462),
        ],
    );
}

#[test]
fn sin() {
    check(
        "Sin",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.7397922f32, 1.0313361),
            Complex::new(-0.93786126f32, -0.10512382),
            Complex::new(-8.471645f32, -5.4126806),
        ],
    );
}

#[test]
fn sinh() {
    check(
        "Sinh",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.28154898f32, 0.94886446),
            Complex::new(-3.51411f32, 0.93078214),
            Complex::new(1.1634403f32, -0.21775953),
        ],
    );
}

#[test]
fn sqrt() {
    check(
        "Sqrt",
        [[Complex::new(-4.0f32, 0.0), Complex::new(3.0f32, 4.0), Complex::new(0.0f32, 0.0)].into()],
        [Complex::new(0.0f32, 2.0), Complex::new(2.0f32, 1.0), Complex::new(0.0f32, 0.0)],
    );
}

#[test]
fn tan() {
    check(
        "Tan",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(0.19557732f32, 0.84296614),
            Complex::new(1.5966891f32, 1.0993981),
            Complex::new(-0.0045171375f32, -1.0020552),
        ],
    );
}

#[test]
fn tanh() {
    check(
        "Tanh",
        [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
        [
            Complex::new(1.0428307f32, 0.80687743),
            Complex::new(-0.96821463f32, 0.017009461),
            Complex::new(-0.7680176f32, 0.05916854),
        ],
    );
}

#[test]
fn pow() {
    check(
        "Pow",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(0.0f32, 0.5)].into()],
        [Complex::new(0.52898026f32, 0.22512195)],
    );
}

#[test]
fn xlog1py() {
    check(
        "Xlog1py",
        [
            [Complex::new(0.0f32, 0.0), Complex::new(1.0f32, 1.0)].into(),
            [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 2.0)].into(),
        ],
        [Complex::new(0.0f32, 0.0), Complex::new(-0.3024298f32, 1.9118677)],
    );
}

#[test]
fn xlogy() {
    check(
        "Xlogy",
        [
            [Complex::new(0.0f32, 0.0), Complex::new(1.0f32, 1.0)].into(),
            [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 2.0)].into(),
        ],
        [Complex::new(0.0f32, 0.0), Complex::new(-0.8776492f32, 2.2639437)],
    );
}
