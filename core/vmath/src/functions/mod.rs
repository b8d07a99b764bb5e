//! Functions of single-precision numbers without branches or calls, made to be compiled into vectorised loops.
//!
//! `FUSED` tells whether the processor has fused multiply-add. Errors are stated in units in the last place against the
//! exact value; infinities, NaN, zeros and subnormal numbers come out as IEEE 754 recommends. Coefficients are printed
//! by `tests/oracle/make_polynomials.py`.

mod double;
mod error_function;
mod exponential;
mod hyperbolic;
mod inverse;
mod logarithm;
mod power;
mod trigonometric;

pub use error_function::{erf, erfc};
pub use exponential::{exp, expm1, sigmoid, swish};
pub use hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use inverse::{acos, asin, atan, atan2};
pub use logarithm::{log, log1p};
pub use power::pow;
pub use trigonometric::{TRIGONOMETRIC_LIMIT, cos, sin, tan};

use crate::loops::multiply_add;

/// The polynomial with these coefficients, lowest power first.
#[inline(always)]
fn polynomial<const FUSED: bool, const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = multiply_add::<FUSED>(sum, x, coefficients[i]);
    }
    sum
}

#[cfg(test)]
mod tests;
