//! The Rust types that tensor elements have, one for each dtype, and the numeric traits kernels are
//! generic over.
#![allow(unsafe_code, reason = "room: the layout contract of Element")]

pub use half::{bf16, f16};
pub use num_complex::Complex;

pub use crate::resource::{ResourceHandle, Variant};
pub use crate::tstring::TString;
use crate::{DType, InputParam, OutputValue, Result, Tensor};

/// A Rust type that is the element of tensors of exactly one dtype. Kernels take scalar inputs and return scalar outputs
/// as values of it.
///
/// # Safety
/// `DTYPE` is carried by no other type. If `PLAIN`, every bit pattern of `size_of::<Self>()` bytes is a
/// valid value and dropping does nothing; otherwise all-zero bytes are a valid value, equal to the default.
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
    ($plain:literal: $($ty:ty = $dtype:ident),* $(,)?) => {$(
        // SAFETY: each dtype appears once in this file; plain types are integers, floats and transparent wrappers of
        // them, the others are valid and empty when zeroed.
        unsafe impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            const PLAIN: bool = $plain;
        }

        impl InputParam<'_> for $ty {
            type Element = Self;

            #[inline]
            fn bind(input: &Tensor) -> Result<Self> {
                input.to_scalar()
            }
        }

        impl OutputValue for $ty {
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
elements!(false: bool = Bool, TString = String, ResourceHandle = Resource, Variant = Variant);

/// An element with arithmetic: integers, floats, complex numbers. Integer operators of kernels wrap.
pub trait Number: Element + Copy + PartialEq + num_traits::NumOps + num_traits::Zero + num_traits::One {}

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
pub trait Float: Real + num_traits::Float {
    /// To single precision.
    fn to_f32(self) -> f32;
    /// From single precision, rounded to nearest even.
    fn from_f32(value: f32) -> Self;
}

/// An integer with wrapping arithmetic.
pub trait Integer:
    Real + num_traits::PrimInt + num_traits::WrappingAdd + num_traits::WrappingSub + num_traits::WrappingMul
{
}

macro_rules! numbers {
    (integers: $($int:ty),*; floats: $($float:ty => $to:expr, $from:expr);*;) => {
        $(impl Number for $int {}
        impl Real for $int {
            const LOWEST: Self = Self::MIN;
            const HIGHEST: Self = Self::MAX;
            #[inline]
            fn is_nan_value(self) -> bool { false }
        }
        impl Integer for $int {})*
        $(impl Number for $float {}
        impl Real for $float {
            const LOWEST: Self = Self::NEG_INFINITY;
            const HIGHEST: Self = Self::INFINITY;
            #[inline]
            fn is_nan_value(self) -> bool { self.is_nan() }
        }
        impl Float for $float {
            #[inline]
            fn to_f32(self) -> f32 { ($to)(self) }
            #[inline]
            fn from_f32(value: f32) -> Self { ($from)(value) }
        })*
    };
}

numbers! {
    integers: i8, i16, i32, i64, u8, u16, u32, u64;
    floats: f32 => |x| x, |x| x; f64 => |x| x as f32, f64::from; f16 => f16::to_f32, f16::from_f32;
        bf16 => bf16::to_f32, bf16::from_f32;
}

impl Number for Complex<f32> {}
impl Number for Complex<f64> {}
