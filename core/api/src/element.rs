//! The Rust types that tensor elements have, one for each dtype, and the numeric traits kernels are
//! generic over.
#![allow(unsafe_code, reason = "room: the layout contract of Element")]

pub use half::{bf16, f16};
pub use num_complex::Complex;

pub use crate::resource::{ResourceHandle, Variant};
pub use crate::tstring::TString;
use oplink_vmath::{Double, Single, Wrapped};

use crate::params::{InputParam, OutputValue};
use crate::{DType, Result, Tensor};

/// A Rust type that is the element of tensors of exactly one dtype. Kernels take scalar inputs and return scalar
/// outputs as values of it. What formulas compute with in place of an element type, such as integers whose operators
/// wrap around, is an element of the same dtype.
///
/// # Safety
/// The type has the size, the alignment and the valid values of the dtype's elements. If `PLAIN`, every bit pattern of
/// `size_of::<Self>()` bytes is a valid value and dropping does nothing; otherwise all-zero bytes are a valid value,
/// equal to the default.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tensor element type",
    label = "no dtype has this element type",
    note = "elements are f32, f64, i8..i64, u8..u64, bool, bf16, f16, Complex<f32>, Complex<f64>, TString, the \
            float8, quantized and int4 types of `oplink::element`, ResourceHandle and Variant"
)]
pub unsafe trait Element:
    Clone
    + Default
    + Send
    + Sync
    + std::fmt::Debug
    + for<'a> InputParam<'a, Element = Self>
    + OutputValue<Element = Self>
    + 'static
{
    /// The dtype of tensors with this element.
    const DTYPE: DType;
    /// Whether any bytes are a value and dropping does nothing.
    const PLAIN: bool;
}

macro_rules! elements {
    ($plain:literal: $($ty:ty = $dtype:ident),* $(,)?) => {
        elements!($($plain [] $ty = $dtype;)*);
    };
    ($($plain:literal [$($generics:tt)*] $ty:ty = $dtype:ident;)*) => {$(
        // SAFETY: the type is the dtype's of the op language, or a transparent wrapper of it; plain types are integers
        // and floats, the others are valid and empty when zeroed.
        unsafe impl<$($generics)*> Element for $ty {
            const DTYPE: DType = DType::$dtype;
            const PLAIN: bool = $plain;
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> InputParam<'_> for $ty {
            type Element = Self;

            #[inline]
            fn bind(input: &Tensor) -> Result<Self> {
                input.to_scalar()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> OutputValue for $ty {
            type Element = Self;

            fn into_output(self) -> Tensor {
                Tensor::scalar(self)
            }
        }
    )*};
}

/// Storage types of dtypes that Rust has no arithmetic type for.
macro_rules! wrappers {
    ($($(#[$doc:meta])* $name:ident($inner:ty)),* $(,)?) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);
        elements!(true: $name = $name);
    )*};
}

wrappers! {
    /// Quantized signed 8-bit value.
    QInt8(i8),
    /// Quantized unsigned 8-bit value.
    QUInt8(u8),
    /// Quantized signed 16-bit value.
    QInt16(i16),
    /// Quantized unsigned 16-bit value.
    QUInt16(u16),
    /// Quantized signed 32-bit value.
    QInt32(i32),
    /// The bits of a float8 with 5 exponent and 2 mantissa bits.
    Float8E5M2(u8),
    /// The bits of a finite-only float8 with 4 exponent and 3 mantissa bits.
    Float8E4M3FN(u8),
    /// The bits of a float8 e4m3 without negative zero.
    Float8E4M3FNUZ(u8),
    /// The bits of a float8 e4m3 with bias 11 without negative zero.
    Float8E4M3B11FNUZ(u8),
    /// The bits of a float8 e5m2 without negative zero.
    Float8E5M2FNUZ(u8),
    /// The bits of a float4 e2m1, one a byte.
    Float4E2M1FN(u8),
    /// A signed 4-bit integer, one a byte, sign-extended.
    Int4(i8),
    /// An unsigned 4-bit integer, one a byte.
    UInt4(u8),
    /// A signed 2-bit integer, one a byte, sign-extended.
    Int2(i8),
    /// An unsigned 2-bit integer, one a byte.
    UInt2(u8),
}

elements!(true: f32 = Float, f64 = Double, i32 = Int32, u8 = UInt8, i16 = Int16, i8 = Int8, i64 = Int64,
    u16 = UInt16, u32 = UInt32, u64 = UInt64, bf16 = BFloat16, f16 = Half,
    Complex<f32> = Complex64, Complex<f64> = Complex128);
elements! {
    true [const FUSED: bool, const MARKED: bool] Single<FUSED, MARKED> = Float;
    true [] Double = Double;
    true [] Wrapped<i8> = Int8;
    true [] Wrapped<i16> = Int16;
    true [] Wrapped<i32> = Int32;
    true [] Wrapped<i64> = Int64;
    true [] Wrapped<u8> = UInt8;
    true [] Wrapped<u16> = UInt16;
    true [] Wrapped<u32> = UInt32;
    true [] Wrapped<u64> = UInt64;
}
elements!(false: bool = Bool, TString = String, ResourceHandle = Resource, Variant = Variant);

/// An element with arithmetic: integers, floats, complex numbers. Integer operators of kernels wrap.
pub trait Number: Element + Copy + PartialEq + num_traits::NumOps + num_traits::Zero + num_traits::One {
    /// The value of an `int` attr, converted as TensorFlow's `Cast` does: integers keep the low bits, floats round to
    /// nearest even, those of 16 bits by way of f32.
    fn from_int(value: i64) -> Self;
    /// The value of a `float` attr or another f64: floats round as in [`from_int`](Self::from_int), integers drop the
    /// fraction and saturate.
    fn from_float(value: f64) -> Self;
}

/// A number with an order: integers and floats.
pub trait Real: Number + PartialOrd {
    /// The smallest value (negative infinity for floats).
    const LOWEST: Self;
    /// The largest value (infinity for floats).
    const HIGHEST: Self;
    /// Whether the value is NaN; false for integers.
    fn is_nan_value(self) -> bool;
}

/// A real floating-point number.
///
/// In formulas, the functions of numbers in single precision are vectorised.
pub trait Float: Real + num_traits::Float {
    /// To single precision.
    fn to_f32(self) -> f32;
    /// From single precision, rounded to nearest even.
    fn from_f32(value: f32) -> Self;
    /// The nearest integer, the even one of two.
    #[must_use]
    fn round_ties_even(self) -> Self;
    /// `1 / (1 + exp(-x))`.
    #[must_use]
    fn sigmoid(self) -> Self;
    /// The Gauss error function.
    #[must_use]
    fn erf(self) -> Self;
    /// `1 - erf(x)`.
    #[must_use]
    fn erfc(self) -> Self;
    /// What has this error function.
    #[must_use]
    fn erfinv(self) -> Self;
    /// The logarithm of the magnitude of the gamma function.
    #[must_use]
    fn lgamma(self) -> Self;
    /// The derivative of the logarithm of the gamma function.
    #[must_use]
    fn digamma(self) -> Self;
    /// `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
    #[must_use]
    fn bessel_i0e(self) -> Self;
    /// `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
    #[must_use]
    fn bessel_i1e(self) -> Self;
    /// The quantile of the normal distribution: what has this probability of a smaller value.
    #[must_use]
    fn ndtri(self) -> Self;
    /// The regularized lower incomplete gamma function of order `self`.
    #[must_use]
    fn igamma(self, x: Self) -> Self;
    /// The regularized upper incomplete gamma function of order `self`.
    #[must_use]
    fn igammac(self, x: Self) -> Self;
    /// The derivative of order `self` of the digamma function.
    #[must_use]
    fn polygamma(self, x: Self) -> Self;
    /// The Hurwitz zeta function.
    #[must_use]
    fn zeta(self, q: Self) -> Self;
    /// The modified Bessel function of the first kind of order 0.
    #[must_use]
    fn bessel_i0(self) -> Self;
    /// The modified Bessel function of the first kind of order 1.
    #[must_use]
    fn bessel_i1(self) -> Self;
    /// The Bessel function of the first kind of order 0.
    #[must_use]
    fn bessel_j0(self) -> Self;
    /// The Bessel function of the first kind of order 1.
    #[must_use]
    fn bessel_j1(self) -> Self;
    /// The modified Bessel function of the second kind of order 0.
    #[must_use]
    fn bessel_k0(self) -> Self;
    /// `exp(x)` times the modified Bessel function of the second kind of order 0.
    #[must_use]
    fn bessel_k0e(self) -> Self;
    /// The modified Bessel function of the second kind of order 1.
    #[must_use]
    fn bessel_k1(self) -> Self;
    /// `exp(x)` times the modified Bessel function of the second kind of order 1.
    #[must_use]
    fn bessel_k1e(self) -> Self;
    /// The Bessel function of the second kind of order 0.
    #[must_use]
    fn bessel_y0(self) -> Self;
    /// The Bessel function of the second kind of order 1.
    #[must_use]
    fn bessel_y1(self) -> Self;
    /// Dawson's integral.
    #[must_use]
    fn dawsn(self) -> Self;
    /// The exponential integral Ei.
    #[must_use]
    fn expint(self) -> Self;
    /// The Fresnel integral of the cosine.
    #[must_use]
    fn fresnel_cos(self) -> Self;
    /// The Fresnel integral of the sine.
    #[must_use]
    fn fresnel_sin(self) -> Self;
    /// The dilogarithm of `1 - x`.
    #[must_use]
    fn spence(self) -> Self;
    /// The derivative of [`igamma`](Float::igamma) by its order `self`.
    #[must_use]
    fn igamma_grad_a(self, x: Self) -> Self;
    /// The derivative of a sample of the gamma distribution of shape `self` by the shape.
    #[must_use]
    fn random_gamma_grad(self, x: Self) -> Self;
}

/// An integer with wrapping arithmetic.
pub trait Integer:
    Real + num_traits::PrimInt + num_traits::WrappingAdd + num_traits::WrappingSub + num_traits::WrappingMul
{
}

macro_rules! integers {
    ($($int:ty, $plain:ty: $wrap:expr, $least:expr, $most:expr;)*) => {$(
        impl Number for $int {
            #[inline(always)]
            fn from_int(value: i64) -> Self { ($wrap)(value as $plain) }
            #[inline(always)]
            fn from_float(value: f64) -> Self { ($wrap)(value as $plain) }
        }
        impl Real for $int {
            const LOWEST: Self = $least;
            const HIGHEST: Self = $most;
            #[inline(always)]
            fn is_nan_value(self) -> bool { false }
        }
        impl Integer for $int {}
    )*};
}

macro_rules! primitive_integers {
    ($($int:ty)*) => {
        integers!($($int, $int: std::convert::identity, <$int>::MIN, <$int>::MAX;
            Wrapped<$int>, $int: Wrapped, Wrapped(<$int>::MIN), Wrapped(<$int>::MAX);)*);
    };
}

primitive_integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// Floats, each with the type that its functions of one argument are computed by, and the way there and back.
macro_rules! floats {
    ($([$($generics:tt)*] $float:ty: $infinity:expr, $lowest:expr, $to:expr, $from:expr, $from_int:expr,
       $from_double:expr, |$x:ident| $by:expr, $back:expr;)*) => {$(
        impl<$($generics)*> Number for $float {
            #[inline(always)]
            fn from_int(value: i64) -> Self { ($from_int)(value) }
            #[inline(always)]
            fn from_float(value: f64) -> Self { ($from_double)(value) }
        }
        impl<$($generics)*> Real for $float {
            const LOWEST: Self = $lowest;
            const HIGHEST: Self = $infinity;
            #[inline(always)]
            fn is_nan_value(self) -> bool { num_traits::Float::is_nan(self) }
        }
        impl<$($generics)*> Float for $float {
            #[inline(always)]
            fn to_f32(self) -> f32 { ($to)(self) }
            #[inline(always)]
            fn from_f32(value: f32) -> Self { ($from)(value) }
            floats!(functions $by, $x, $back; round_ties_even sigmoid erf erfc erfinv lgamma digamma bessel_i0e bessel_i1e
                ndtri bessel_i0 bessel_i1 bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e bessel_y0
                bessel_y1 dawsn expint fresnel_cos fresnel_sin spence);
            floats!(functions2 $by, $x, $back; igamma igammac igamma_grad_a random_gamma_grad polygamma zeta);
        }
    )*};
    (functions $by:expr, $x:ident, $back:expr; $($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self) -> Self {
            let $x = self;
            ($back)(($by).$function())
        }
    )*};
    (functions2 $by:expr, $x:ident, $back:expr; $($function:ident)*) => {$(
        #[inline(always)]
        fn $function(self, other: Self) -> Self {
            let by = |$x: Self| $by;
            ($back)(by(self).$function(by(other)))
        }
    )*};
}

floats! {
    [] f32: f32::INFINITY, f32::NEG_INFINITY, |x| x, |x| x, |x: i64| x as f32, |x: f64| x as f32,
        |x| Single::<false>(x), |x: Single<false>| x.0;
    [] f64: f64::INFINITY, f64::NEG_INFINITY, |x: f64| x as f32, f64::from, |x: i64| x as f64, |x| x,
        |x| Double(x), |x: Double| x.0;
    [] f16: f16::INFINITY, f16::NEG_INFINITY, f16::to_f32, f16::from_f32, |x: i64| f16::from_f32(x as f32),
        |x: f64| f16::from_f32(x as f32), |x| Single::<false>(x.to_f32()), |x: Single<false>| f16::from_f32(x.0);
    [] bf16: bf16::INFINITY, bf16::NEG_INFINITY, bf16::to_f32, bf16::from_f32, |x: i64| bf16::from_f32(x as f32),
        |x: f64| bf16::from_f32(x as f32), |x| Single::<false>(x.to_f32()), |x: Single<false>| bf16::from_f32(x.0);
    [] Double: Double(f64::INFINITY), Double(f64::NEG_INFINITY), |x: Self| x.0 as f32, |x: f32| Double(f64::from(x)),
        |x: i64| Double(x as f64), Double, |x| x, |x| x;
    [const FUSED: bool, const MARKED: bool] Single<FUSED, MARKED>: Single(f32::INFINITY), Single(f32::NEG_INFINITY),
        |x: Self| x.0, Single, |x: i64| Single(x as f32), |x: f64| Single(x as f32), |x| x, |x| x;
}

macro_rules! complex_numbers {
    ($($part:ty),*) => {$(
        impl Number for Complex<$part> {
            #[inline]
            fn from_int(value: i64) -> Self { Self::new(value as $part, 0.0) }
            #[inline]
            fn from_float(value: f64) -> Self { Self::new(value as $part, 0.0) }
        }
    )*};
}

complex_numbers!(f32, f64);
