//! Parts of complex numbers.

use oplink::prelude::*;

/// Computes the angle in radians between the positive real axis and each element, in (-pi, pi].
#[op(
    "Angle",
    is(elementwise),
    input = "input: T",
    output = "output: Tout",
    attr = "T: {complex64, complex128} = DT_COMPLEX64",
    attr = "Tout: {float, double} = DT_FLOAT",
    shape = shape_fns::unchanged,
)]
pub struct Angle;

/// Makes complex numbers of real and imaginary parts.
///
/// The shapes of `real` and `imag` broadcast.
#[op(
    "Complex",
    is(elementwise),
    input = "real: T",
    input = "imag: T",
    output = "out: Tout",
    attr = "T: {float, double} = DT_FLOAT",
    attr = "Tout: {complex64, complex128} = DT_COMPLEX64",
    shape = shape_fns::broadcast_binary,
)]
pub struct Complex;

/// Computes `sqrt(re * re + im * im)`, without overflow on the way.
#[op(
    "ComplexAbs",
    is(elementwise),
    input = "x: T",
    output = "y: Tout",
    attr = "T: {complex64, complex128} = DT_COMPLEX64",
    attr = "Tout: {float, double} = DT_FLOAT",
    shape = shape_fns::unchanged,
)]
pub struct ComplexAbs;

/// Computes the complex conjugate.
#[op(
    "Conj",
    is(elementwise),
    input = "input: T",
    output = "output: T",
    attr = "T: {complex64, complex128, variant} = DT_COMPLEX64",
    shape = shape_fns::unchanged,
)]
pub struct Conj;

/// Returns the imaginary part of each element.
#[op(
    "Imag",
    is(elementwise),
    input = "input: T",
    output = "output: Tout",
    attr = "T: {complex64, complex128} = DT_COMPLEX64",
    attr = "Tout: {float, double} = DT_FLOAT",
    shape = shape_fns::unchanged,
)]
pub struct Imag;

/// Returns the real part of each element.
#[op(
    "Real",
    is(elementwise),
    input = "input: T",
    output = "output: Tout",
    attr = "T: {complex64, complex128} = DT_COMPLEX64",
    attr = "Tout: {float, double} = DT_FLOAT",
    shape = shape_fns::unchanged,
)]
pub struct Real;
