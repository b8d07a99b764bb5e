//! Values of TensorFlow: parts, quotients and signs of complex numbers, and gradients.

use oplink::prelude::*;

use crate::support::{check, check_with};

#[test]
fn inv() {
    check("Inv", [[Complex::new(1.0f32, 2.0)].into()], [Complex::new(0.2f32, -0.4)]);
}

#[test]
fn neg() {
    check("Neg", [[Complex::new(1.0f32, -2.0)].into()], [Complex::new(-1.0f32, 2.0)]);
}

#[test]
fn reciprocal() {
    check("Reciprocal", [[Complex::new(1.0f32, 2.0)].into()], [Complex::new(0.2f32, -0.4)]);
}

#[test]
fn sign() {
    check(
        "Sign",
        [[Complex::new(0.0f32, 0.0), Complex::new(3.0f32, 4.0)].into()],
        [Complex::new(0.0f32, 0.0), Complex::new(0.6f32, 0.8)],
    );
}

#[test]
fn inv_grad() {
    check(
        "InvGrad",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
        [Complex::new(13.0f32, 9.0)],
    );
}

#[test]
fn reciprocal_grad() {
    check(
        "ReciprocalGrad",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
        [Complex::new(13.0f32, 9.0)],
    );
}

#[test]
fn rsqrt_grad() {
    check(
        "RsqrtGrad",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
        [Complex::new(15.5f32, -8.5)],
    );
}

#[test]
fn sqrt_grad() {
    check(
        "SqrtGrad",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
        [Complex::new(0.5f32, 0.5)],
    );
}

#[test]
fn angle() {
    check(
        "Angle",
        [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
        [0.9272952f32, 3.1415927, -1.5707964],
    );
}

#[test]
fn complex() {
    check("Complex", [[1.0f32, -0.0].into(), 3.0f32.into()], [Complex::new(1.0f32, 3.0), Complex::new(-0.0, 3.0)]);
    let double = [("Tout", DType::Complex128.into())];
    let column = Tensor::from_vec([1, 1], vec![2.0f64]).unwrap();
    let out = Tensor::from_vec([1, 1], vec![Complex::new(1.0f64, 2.0)]).unwrap();
    check_with("Complex", &double, [[1.0f64].into(), column], out);
}

#[test]
fn complex_abs() {
    check(
        "ComplexAbs",
        [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
        [5.0f32, 1.0, 2.0],
    );
}

#[test]
fn conj() {
    check(
        "Conj",
        [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
        [Complex::new(3.0f32, -4.0), Complex::new(-1.0f32, -0.0), Complex::new(-0.0f32, 2.0)],
    );
}

#[test]
fn imag() {
    check(
        "Imag",
        [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
        [4.0f32, 0.0, -2.0],
    );
}

#[test]
fn real() {
    check(
        "Real",
        [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
        [3.0f32, -1.0, -0.0],
    );
}

#[test]
fn div() {
    check(
        "Div",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(-2.0f32, 1.0)].into()],
        [Complex::new(-0.0f32, -1.0)],
    );
}

#[test]
fn div_no_nan() {
    check(
        "DivNoNan",
        [
            [Complex::new(1.0f32, 2.0), Complex::new(3.0f32, 0.0)].into(),
            [Complex::new(-2.0f32, 1.0), Complex::new(0.0f32, 0.0)].into(),
        ],
        [Complex::new(-0.0f32, -1.0), Complex::new(0.0f32, 0.0)],
    );
}

#[test]
fn real_div() {
    check(
        "RealDiv",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(-2.0f32, 1.0)].into()],
        [Complex::new(-0.0f32, -1.0)],
    );
}

#[test]
fn squared_difference() {
    check(
        "SquaredDifference",
        [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
        [Complex::new(13.0f32, 0.0)],
    );
}

#[test]
fn xdivy() {
    check(
        "Xdivy",
        [
            [Complex::new(0.0f32, 0.0), Complex::new(1.0f32, 1.0)].into(),
            [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 2.0)].into(),
        ],
        [Complex::new(0.0f32, 0.0), Complex::new(0.5f32, -0.5)],
    );
}
