//! Special functions.

use oplink::prelude::*;

/// Computes the Gauss error function of `x`.
#[op(
    "Erf",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Erf;

/// Computes `1 - erf(x)`, accurately for large `x`.
#[op(
    "Erfc",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Erfc;

/// Computes the inverse of `Erf`; infinite at -1 and 1, NaN beyond.
#[op(
    "Erfinv",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Erfinv;

/// Computes the logarithmic derivative of `Gamma(x)`; NaN at 0 and the negative integers.
#[op(
    "Digamma",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Digamma;

/// Computes the logarithm of the absolute value of `Gamma(x)`; infinite at 0 and the negative integers.
#[op(
    "Lgamma",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Lgamma;

/// Computes `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
#[op(
    "BesselI0e",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselI0e;

/// Computes `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
#[op(
    "BesselI1e",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct BesselI1e;

/// Computes the regularised incomplete beta function `I_x(a, b)`.
///
/// NaN where `a` or `b` is not positive or `x` not in [0, 1]. The inputs have one shape, or are scalars.
#[op(
    "Betainc",
    is(elementwise),
    input = "a: T",
    input = "b: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {float, double}"
)]
pub fn betainc(c: &mut ShapeContext<'_>) -> Result<()> {
    let (mut merged, mut last, mut scalars) = (PartialShape::unknown(), PartialShape::scalar(), 0);
    for index in 0..3 {
        match c.input(index).rank() {
            None => last = PartialShape::unknown(),
            Some(0) => scalars += 1,
            Some(_) => {
                merged = c.merge(&merged, c.input(index))?;
                last = merged.clone();
            }
        }
    }
    c.set_output(0, if scalars >= 2 { last } else { merged });
    Ok(())
}

/// Computes the regularised lower incomplete gamma function `P(a, x)`.
///
/// NaN where `a` is not positive or `x` negative; 0 where `x` is 0.
///
/// The shapes of the inputs broadcast.
#[op(
    "Igamma",
    is(elementwise),
    input = "a: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Igamma;

/// Computes the regularised upper incomplete gamma function `Q(a, x) = 1 - P(a, x)`.
///
/// NaN where `a` is not positive or `x` negative.
///
/// The shapes of the inputs broadcast.
#[op(
    "Igammac",
    is(elementwise),
    input = "a: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Igammac;

/// Computes the derivative of `Igamma(a, x)` by `a`.
///
/// NaN where `a` is not positive or `x` negative. The shapes of the inputs broadcast.
#[op(
    "IgammaGradA",
    is(elementwise),
    input = "a: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct IgammaGradA;

/// Computes the derivative of a sample of the gamma distribution by its shape `alpha`.
///
/// By implicit differentiation (Figurnov, Mohamed and Mnih, "Implicit Reparameterization Gradients", 2018). NaN where
/// `alpha` is not positive or `sample` negative. The shapes of the inputs broadcast.
#[op(
    "RandomGammaGrad",
    is(elementwise),
    input = "alpha: T",
    input = "sample: T",
    output = "output: T",
    attr = "T: {float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct RandomGammaGrad;

/// Computes the number below which a standard normal variable lies with probability `x`.
///
/// Infinite at 0 and 1, NaN beyond.
#[op(
    "Ndtri",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Ndtri;

/// Computes the derivative of order `a` of the digamma function at `x`.
///
/// NaN where `a` is no integer or negative.
///
/// The shapes of the inputs broadcast.
#[op(
    "Polygamma",
    is(elementwise),
    input = "a: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Polygamma;

/// Computes the sum of `(q + k)^-x` over k = 0, 1, ….
///
/// Infinite at `x = 1`, NaN below; infinite or NaN where `q` is 0 or a negative integer.
///
/// The shapes of the inputs broadcast.
#[op(
    "Zeta",
    is(elementwise),
    input = "x: T",
    input = "q: T",
    output = "z: T",
    attr = "T: {float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Zeta;
