//! Bessel functions, and integrals of elementary functions: Dawson's, the exponential one, Fresnel's, the dilogarithm.

use oplink::prelude::*;

/// Computes the modified Bessel function of the first kind of order 0; infinite as soon as `exp(|x|)` is.
#[op(
    "BesselI0",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselI0;

/// Computes the modified Bessel function of the first kind of order 1; infinite as soon as `exp(|x|)` is.
#[op(
    "BesselI1",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselI1;

/// Computes the Bessel function of the first kind of order 0.
#[op(
    "BesselJ0",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselJ0;

/// Computes the Bessel function of the first kind of order 1.
#[op(
    "BesselJ1",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselJ1;

/// Computes the modified Bessel function of the second kind of order 0; infinite where `x` is not positive.
#[op(
    "BesselK0",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselK0;

/// Computes `exp(x)` times the modified Bessel function of the second kind of order 0.
#[op(
    "BesselK0e",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselK0e;

/// Computes the modified Bessel function of the second kind of order 1; infinite where `x` is not positive.
#[op(
    "BesselK1",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselK1;

/// Computes `exp(x)` times the modified Bessel function of the second kind of order 1.
#[op(
    "BesselK1e",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselK1e;

/// Computes the Bessel function of the second kind of order 0; negative infinity where `x` is not positive.
#[op(
    "BesselY0",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselY0;

/// Computes the Bessel function of the second kind of order 1; negative infinity where `x` is negative.
#[op(
    "BesselY1",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselY1;

/// Computes Dawson's integral, `exp(-x²)` times the integral of `exp(t²)` from 0 to `x`; without its sign from 1e9 on.
#[op(
    "Dawsn",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Dawsn;

/// Computes the exponential integral Ei, that of `exp(t) / t` up to `x`; NaN where `x` is negative.
#[op(
    "Expint",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Expint;

/// Computes the Fresnel integral of `cos(π t² / 2)` from 0 to `x`.
#[op(
    "FresnelCos",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct FresnelCos;

/// Computes the Fresnel integral of `sin(π t² / 2)` from 0 to `x`.
#[op(
    "FresnelSin",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct FresnelSin;

/// Computes the dilogarithm of `1 - x`, the integral of `ln(t) / (1 - t)` from 1 to `x`; NaN where `x` is negative.
#[op(
    "Spence",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Spence;
