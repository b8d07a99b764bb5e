//! Gradients of functions of one number.

use oplink::prelude::*;

/// Computes `-dy * y * y`, where `y = 1 / x`; 0 where `dy` is. Complex `y` is conjugated.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "InvGrad",
    is(elementwise),
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct InvGrad;

/// Computes `-dy * y * y`, where `y = 1 / x`; 0 where `dy` is. Complex `y` is conjugated.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "ReciprocalGrad",
    is(elementwise),
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct ReciprocalGrad;

/// Computes `dy * -0.5 * y * y * y`, where `y = rsqrt(x)`; 0 where `dy` is. Complex `y` is conjugated.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "RsqrtGrad",
    is(elementwise),
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct RsqrtGrad;

/// Computes `dy * y * (1 - y)`, where `y = sigmoid(x)`.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "SigmoidGrad",
    is(elementwise),
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct SigmoidGrad;

/// Computes `dy * 0.5 / y`, where `y = sqrt(x)`; 0 where `dy` is. Complex `y` is conjugated.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "SqrtGrad",
    is(elementwise),
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct SqrtGrad;

/// Computes `dy * (1 - y * y)`, where `y = tanh(x)`.
///
/// `y` and `dy` have the same number of elements.
#[op(
    "TanhGrad",
    is(elementwise),
    input = "y: T",
    input = "dy: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct TanhGrad;
