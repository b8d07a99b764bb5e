//! Values of TensorFlow: rounding.

use crate::support::check;

#[test]
fn floor() {
    check(
        "Floor",
        [[-1.5f32, -0.5, -0.0, 0.25, 2.0, f32::INFINITY, f32::NAN].into()],
        [-2.0f32, -1.0, -0.0, 0.0, 2.0, f32::INFINITY, f32::NAN],
    );
}

#[test]
fn ceil() {
    check(
        "Ceil",
        [[-1.5f32, -0.5, -0.0, 0.25, 2.0, f32::INFINITY, f32::NAN].into()],
        [-1.0f32, -0.0, -0.0, 1.0, 2.0, f32::INFINITY, f32::NAN],
    );
}

#[test]
fn rint() {
    check(
        "Rint",
        [[0.5f32, 1.5, 2.5, -0.5, -1.5, 8388609.0, 0.49999997, f32::INFINITY, f32::NAN].into()],
        [0.0f32, 2.0, 2.0, -0.0, -2.0, 8388609.0, 0.0, f32::INFINITY, f32::NAN],
    );
}

#[test]
fn round() {
    check(
        "Round",
        [[0.5f32, 1.5, 2.5, -0.5, -1.5, 8388609.0, 0.49999997, f32::INFINITY, f32::NAN].into()],
        [0.0f32, 2.0, 2.0, -0.0, -2.0, 8388609.0, 0.0, f32::INFINITY, f32::NAN],
    );
    check("Round", [[-3, 7].into()], [-3, 7]);
}

#[test]
fn is_nan() {
    check(
        "IsNan",
        [[-1.5f32, 0.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
        [false, false, false, false, true],
    );
}

#[test]
fn is_inf() {
    check("IsInf", [[-1.5f32, 0.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()], [false, false, true, true, false]);
}

#[test]
fn is_finite() {
    check(
        "IsFinite",
        [[-1.5f32, 0.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
        [true, true, false, false, false],
    );
}
