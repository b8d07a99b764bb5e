//! Values of TensorFlow: gradients.

use crate::support::{check, check_error};

#[test]
fn tanh_grad() {
    check(
        "TanhGrad",
        [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
        [2.8125f32, -1.5, f32::NAN, 0.0, f32::NAN],
    );
    check_error(
        "TanhGrad",
        [[1.0f32, 2.0].into(), [1.0f32].into()],
        "The two arguments to a cwise op must have same number of elements, got 2 and 1",
    );
}

#[test]
fn sigmoid_grad() {
    check(
        "SigmoidGrad",
        [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
        [0.5625f32, -3.0, f32::NAN, 0.0, f32::NAN],
    );
    check_error(
        "SigmoidGrad",
        [[1.0f32, 2.0].into(), [1.0f32].into()],
        "The two arguments to a cwise op must have same number of elements, got 2 and 1",
    );
}

#[test]
fn rsqrt_grad() {
    check(
        "RsqrtGrad",
        [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
        [-0.0234375f32, 2.0, f32::NAN, 0.0, 0.0],
    );
    check_error(
        "RsqrtGrad",
        [[1.0f32, 2.0].into(), [1.0f32].into()],
        "The two arguments to a cwise op must have same number of elements, got 2 and 1",
    );
}

#[test]
fn sqrt_grad() {
    check(
        "SqrtGrad",
        [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
        [6.0f32, -0.125, f32::NAN, 0.0, 0.0],
    );
    check_error(
        "SqrtGrad",
        [[1.0f32, 2.0].into(), [1.0f32].into()],
        "The two arguments to a cwise op must have same number of elements, got 2 and 1",
    );
}

#[test]
fn reciprocal_grad() {
    check(
        "ReciprocalGrad",
        [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
        [-0.1875f32, -2.0, f32::NAN, 0.0, 0.0],
    );
    check_error(
        "ReciprocalGrad",
        [[1.0f32, 2.0].into(), [1.0f32].into()],
        "The two arguments to a cwise op must have same number of elements, got 2 and 1",
    );
}

#[test]
fn inv_grad() {
    check(
        "InvGrad",
        [[0.25f32, -2.0, f32::NAN, 0.0, f32::INFINITY].into(), [3.0f32, 0.5, 1.0, 0.0, 0.0].into()],
        [-0.1875f32, -2.0, f32::NAN, 0.0, 0.0],
    );
    check_error(
        "InvGrad",
        [[1.0f32, 2.0].into(), [1.0f32].into()],
        "The two arguments to a cwise op must have same number of elements, got 2 and 1",
    );
}
