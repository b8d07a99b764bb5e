//! Functions of one tensor.

use oplink::prelude::*;
use oplink_ops::math::{
    Abs, Acos, Acosh, Asin, Asinh, Atan, Atanh, Ceil, Cos, Cosh, Exp, Expm1, Floor, Inv, IsFinite, IsInf, IsNan, Log,
    Log1p, Neg, Reciprocal, Rint, Round, Rsqrt, Sigmoid, Sign, Sin, Sinh, Sqrt, Square, Tan, Tanh,
};

/// `|x|`.
#[kernel(Abs, device = GPU, T = [floats])]
fn absolute<T: Float>(x: T) -> T {
    x.abs()
}

/// `|x|`; of the smallest integer itself.
#[kernel(Abs, device = GPU, T = [i8, i16, i64])]
fn absolute_of_integers<T: Integer>(x: T) -> T {
    if x < T::zero() { T::zero() - x } else { x }
}

/// `-x`.
#[kernel(Neg, device = GPU, T = [floats])]
fn negative<T: Float>(x: T) -> T {
    -x
}

/// `-x`.
#[kernel(Neg, device = GPU, T = [i8, i16, i64])]
fn negative_of_integers<T: Integer>(x: T) -> T {
    T::zero() - x
}

/// -1, 0 or 1; NaN of NaN.
#[kernel(Sign, device = GPU, T = [floats, i8, i16, i64])]
fn sign<T: Real>(x: T) -> T {
    if x > T::zero() {
        T::one()
    } else if x < T::zero() {
        T::zero() - T::one()
    } else {
        x
    }
}

/// `x^2`.
#[kernel(Square, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn square<T: Number>(x: T) -> T {
    x * x
}

/// `1 / x`.
#[kernel(Reciprocal, device = GPU, T = [floats])]
#[kernel(Inv, device = GPU, T = [floats])]
fn reciprocal<T: Float>(x: T) -> T {
    T::one() / x
}

/// The square root.
#[kernel(Sqrt, device = GPU, T = [floats])]
fn root<T: Float>(x: T) -> T {
    x.sqrt()
}

/// `1 / sqrt(x)`.
#[kernel(Rsqrt, device = GPU, T = [f16, bf16, f32])]
fn reciprocal_root<T: Float>(x: T) -> T {
    T::from_f32(1.0 / x.to_f32().sqrt())
}

/// `1 / sqrt(x)`.
#[kernel(Rsqrt, device = GPU, T = [f64])]
fn reciprocal_root_of_doubles(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// Towards negative infinity.
#[kernel(Floor, device = GPU, T = [floats])]
fn floor<T: Float>(x: T) -> T {
    x.floor()
}

/// Towards infinity.
#[kernel(Ceil, device = GPU, T = [floats])]
fn ceil<T: Float>(x: T) -> T {
    x.ceil()
}

/// To the nearest whole number, of two equally near ones to the even one.
#[kernel(Round, device = GPU, T = [f16, bf16, f32, f64])]
fn round<T: Float>(x: T) -> T {
    let half = T::from_f32(0.5);
    let nearest = x.round();
    if (nearest - x).abs() == half { T::from_f32(2.0) * (x * half).round() } else { nearest }
}

/// To the nearest whole number, of two equally near ones to the even one.
#[kernel(Rint, device = GPU, T = [f32, f64])]
fn rint<T: Float>(x: T) -> T {
    let half = T::from_f32(0.5);
    let nearest = x.round();
    if (nearest - x).abs() == half { T::from_f32(2.0) * (x * half).round() } else { nearest }
}

/// Integers are whole.
#[kernel(Round, device = GPU, T = [i64])]
fn whole(x: i64) -> i64 {
    x
}

/// `e^x`.
#[kernel(Exp, device = GPU, T = [floats])]
fn exponential<T: Float>(x: T) -> T {
    x.exp()
}

/// `e^x - 1`.
#[kernel(Expm1, device = GPU, T = [floats])]
fn exponential_less_one<T: Float>(x: T) -> T {
    x.exp_m1()
}

/// The natural logarithm.
#[kernel(Log, device = GPU, T = [floats])]
fn logarithm<T: Float>(x: T) -> T {
    x.ln()
}

/// The natural logarithm of `1 + x`.
#[kernel(Log1p, device = GPU, T = [floats])]
fn logarithm_of_one_more<T: Float>(x: T) -> T {
    x.ln_1p()
}

/// `1 / (1 + e^-x)`.
#[kernel(Sigmoid, device = GPU, T = [f16, bf16, f32])]
fn sigmoid<T: Float>(x: T) -> T {
    T::from_f32(1.0 / (1.0 + (-x.to_f32()).exp()))
}

/// `1 / (1 + e^-x)`.
#[kernel(Sigmoid, device = GPU, T = [f64])]
fn sigmoid_of_doubles(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Sine of radians.
#[kernel(Sin, device = GPU, T = [floats])]
fn sine<T: Float>(x: T) -> T {
    x.sin()
}

/// Cosine of radians.
#[kernel(Cos, device = GPU, T = [floats])]
fn cosine<T: Float>(x: T) -> T {
    x.cos()
}

/// Tangent of radians.
#[kernel(Tan, device = GPU, T = [floats])]
fn tangent<T: Float>(x: T) -> T {
    x.tan()
}

/// The angle of a sine.
#[kernel(Asin, device = GPU, T = [floats])]
fn arc_sine<T: Float>(x: T) -> T {
    x.asin()
}

/// The angle of a cosine.
#[kernel(Acos, device = GPU, T = [floats])]
fn arc_cosine<T: Float>(x: T) -> T {
    x.acos()
}

/// The angle of a tangent.
#[kernel(Atan, device = GPU, T = [floats])]
fn arc_tangent<T: Float>(x: T) -> T {
    x.atan()
}

/// The hyperbolic sine.
#[kernel(Sinh, device = GPU, T = [floats])]
fn hyperbolic_sine<T: Float>(x: T) -> T {
    x.sinh()
}

/// The hyperbolic cosine.
#[kernel(Cosh, device = GPU, T = [floats])]
fn hyperbolic_cosine<T: Float>(x: T) -> T {
    x.cosh()
}

/// The hyperbolic tangent.
#[kernel(Tanh, device = GPU, T = [floats])]
fn hyperbolic_tangent<T: Float>(x: T) -> T {
    x.tanh()
}

/// What has this hyperbolic sine.
#[kernel(Asinh, device = GPU, T = [floats])]
fn area_sine<T: Float>(x: T) -> T {
    x.asinh()
}

/// What has this hyperbolic cosine.
#[kernel(Acosh, device = GPU, T = [floats])]
fn area_cosine<T: Float>(x: T) -> T {
    x.acosh()
}

/// What has this hyperbolic tangent.
#[kernel(Atanh, device = GPU, T = [floats])]
fn area_tangent<T: Float>(x: T) -> T {
    x.atanh()
}

/// Whether it is NaN.
#[kernel(IsNan, device = GPU, T = [floats])]
fn is_nan<T: Float>(x: T) -> bool {
    x.is_nan()
}

/// Whether it is an infinity.
#[kernel(IsInf, device = GPU, T = [floats])]
fn is_infinite<T: Float>(x: T) -> bool {
    x.is_infinite()
}

/// Whether it is neither NaN nor an infinity.
#[kernel(IsFinite, device = GPU, T = [floats])]
fn is_finite<T: Float>(x: T) -> bool {
    x.is_finite()
}
