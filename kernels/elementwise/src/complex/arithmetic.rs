//! Sums, quotients and signs of complex numbers, and gradients that differ from those of real ones: they conjugate.

use oplink::prelude::*;
use oplink_ops::math::{
    Conj, Div, DivNoNan, Inv, InvGrad, Neg, RealDiv, Reciprocal, ReciprocalGrad, RsqrtGrad, Sign, SqrtGrad,
    SquaredDifference, Xdivy,
};

use super::ComplexNumber;
use super::functions::{self, C};

/// The complex conjugate.
#[kernel(Conj, device = CPU, scalar, T = [complex])]
pub fn conjugate<T: ComplexNumber>(input: T) -> T {
    input.conjugate()
}

/// `-x`.
#[kernel(Neg, device = CPU, scalar, T = [complex])]
pub fn negative_of_complex<T: ComplexNumber + std::ops::Neg<Output = T>>(x: T) -> T {
    -x
}

/// `x / |x|`; 0 of 0.
#[kernel(Sign, device = CPU, scalar, T = [complex])]
pub fn sign_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::sign(x.to_double()))
}

/// `1 / x`.
#[kernel(Reciprocal, device = CPU, scalar, T = [complex])]
#[kernel(Inv, device = CPU, scalar, T = [complex])]
pub fn reciprocal_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::div(C::new(1.0, 0.0), x.to_double()))
}

/// `x / y`.
#[kernel(Div, device = CPU, scalar, T = [complex])]
#[kernel(RealDiv, device = CPU, scalar, T = [complex])]
pub fn quotient_of_complex<T: ComplexNumber>(x: T, y: T) -> T {
    T::from_double(functions::div(x.to_double(), y.to_double()))
}

/// `x / y`, and 0 where `y` is 0.
#[kernel(DivNoNan, device = CPU, scalar, T = [complex])]
pub fn quotient_of_complex_or_zero<T: ComplexNumber>(x: T, y: T) -> T {
    if y == T::zero() { y } else { T::from_double(functions::div(x.to_double(), y.to_double())) }
}

/// `x / y`, and 0 where `x` is 0.
#[kernel(Xdivy, device = CPU, scalar, T = [complex])]
pub fn zero_or_quotient_of_complex<T: ComplexNumber>(x: T, y: T) -> T {
    if x == T::zero() { x } else { T::from_double(functions::div(x.to_double(), y.to_double())) }
}

/// `x - y` times its conjugate.
#[kernel(SquaredDifference, device = CPU, scalar, T = [complex])]
pub fn squared_difference_of_complex<T: ComplexNumber>(x: T, y: T) -> T {
    let difference = x - y;
    difference * difference.conjugate()
}

/// `-dy * y^3 / 2` with the conjugate of `y`; 0 where `dy` is.
#[kernel(RsqrtGrad, device = CPU, scalar = same_size, T = [complex])]
pub fn rsqrt_grad_of_complex<T: ComplexNumber>(y: T, dy: T) -> T {
    let root = y.conjugate().to_double();
    if dy == T::zero() { dy } else { T::from_double(dy.to_double() * -0.5 * root * (root * root)) }
}

/// `dy / 2 / y` with the conjugate of `y`; 0 where `dy` is.
#[kernel(SqrtGrad, device = CPU, scalar = same_size, T = [complex])]
pub fn sqrt_grad_of_complex<T: ComplexNumber>(y: T, dy: T) -> T {
    let root = y.conjugate().to_double();
    if dy == T::zero() { dy } else { T::from_double(functions::div(dy.to_double() * 0.5, root)) }
}

/// `-dy * y^2` with the conjugate of `y`; 0 where `dy` is.
#[kernel(ReciprocalGrad, device = CPU, scalar = same_size, T = [complex])]
#[kernel(InvGrad, device = CPU, scalar = same_size, T = [complex])]
pub fn reciprocal_grad_of_complex<T: ComplexNumber>(y: T, dy: T) -> T {
    let quotient = y.conjugate().to_double();
    if dy == T::zero() { dy } else { T::from_double(-dy.to_double() * (quotient * quotient)) }
}
