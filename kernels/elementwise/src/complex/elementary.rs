//! Roots, powers, exponential and trigonometric functions of complex numbers and their inverses, in double precision.

use oplink::prelude::*;
use oplink_ops::math::{
    Acos, Acosh, Asin, Asinh, Atan, Atanh, Cos, Cosh, Exp, Expm1, Log, Log1p, Pow, Rsqrt, Sigmoid, Sin, Sinh, Sqrt,
    Tan, Tanh, Xlog1py, Xlogy,
};

use super::ComplexNumber;
use super::functions;

/// The principal square root.
#[kernel(Sqrt, device = CPU, scalar, T = [complex])]
pub fn root_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::sqrt(x.to_double()))
}

/// `1 / sqrt(x)`.
#[kernel(Rsqrt, device = CPU, scalar, T = [complex])]
pub fn reciprocal_root_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::rsqrt(x.to_double()))
}

/// `e^x`.
#[kernel(Exp, device = CPU, scalar, T = [complex])]
pub fn exponential_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::exp(x.to_double()))
}

/// `e^x - 1`.
#[kernel(Expm1, device = CPU, scalar, T = [complex])]
pub fn exponential_of_complex_less_one<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::exp_m1(x.to_double()))
}

/// The principal logarithm.
#[kernel(Log, device = CPU, scalar, T = [complex])]
pub fn logarithm_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::ln(x.to_double()))
}

/// The principal logarithm of `1 + x`.
#[kernel(Log1p, device = CPU, scalar, T = [complex])]
pub fn logarithm_of_one_more_than_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::ln_1p(x.to_double()))
}

/// `1 / (1 + e^-x)`.
#[kernel(Sigmoid, device = CPU, scalar, T = [complex])]
pub fn sigmoid_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::sigmoid(x.to_double()))
}

/// The sine.
#[kernel(Sin, device = CPU, scalar, T = [complex])]
pub fn sine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::sin(x.to_double()))
}

/// The cosine.
#[kernel(Cos, device = CPU, scalar, T = [complex])]
pub fn cosine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::cos(x.to_double()))
}

/// The tangent.
#[kernel(Tan, device = CPU, scalar, T = [complex])]
pub fn tangent_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::tan(x.to_double()))
}

/// What has this sine.
#[kernel(Asin, device = CPU, scalar, T = [complex])]
pub fn arc_sine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::asin(x.to_double()))
}

/// What has this cosine.
#[kernel(Acos, device = CPU, scalar, T = [complex])]
pub fn arc_cosine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::acos(x.to_double()))
}

/// What has this tangent.
#[kernel(Atan, device = CPU, scalar, T = [complex])]
pub fn arc_tangent_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::atan(x.to_double()))
}

/// The hyperbolic sine.
#[kernel(Sinh, device = CPU, scalar, T = [complex])]
pub fn hyperbolic_sine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::sinh(x.to_double()))
}

/// The hyperbolic cosine.
#[kernel(Cosh, device = CPU, scalar, T = [complex])]
pub fn hyperbolic_cosine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::cosh(x.to_double()))
}

/// The hyperbolic tangent.
#[kernel(Tanh, device = CPU, scalar, T = [complex])]
pub fn hyperbolic_tangent_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::tanh(x.to_double()))
}

/// What has this hyperbolic sine.
#[kernel(Asinh, device = CPU, scalar, T = [complex])]
pub fn area_sine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::asinh(x.to_double()))
}

/// What has this hyperbolic cosine.
#[kernel(Acosh, device = CPU, scalar, T = [complex])]
pub fn area_cosine_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::acosh(x.to_double()))
}

/// What has this hyperbolic tangent.
#[kernel(Atanh, device = CPU, scalar, T = [complex])]
pub fn area_tangent_of_complex<T: ComplexNumber>(x: T) -> T {
    T::from_double(functions::atanh(x.to_double()))
}

/// `x^y`.
#[kernel(Pow, device = CPU, scalar, T = [complex])]
pub fn power_of_complex<T: ComplexNumber>(x: T, y: T) -> T {
    T::from_double(functions::pow(x.to_double(), y.to_double()))
}

/// `x * log(y)`, and 0 where `x` is 0.
#[kernel(Xlogy, device = CPU, scalar, T = [complex])]
pub fn zero_or_logarithm_of_complex<T: ComplexNumber>(x: T, y: T) -> T {
    if x == T::zero() { x } else { T::from_double(x.to_double() * functions::ln(y.to_double())) }
}

/// `x * log(1 + y)`, and 0 where `x` is 0.
#[kernel(Xlog1py, device = CPU, scalar, T = [complex])]
pub fn zero_or_logarithm_of_one_more_than_complex<T: ComplexNumber>(x: T, y: T) -> T {
    if x == T::zero() { x } else { T::from_double(x.to_double() * functions::ln_1p(y.to_double())) }
}
