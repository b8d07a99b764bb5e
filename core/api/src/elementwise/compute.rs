//! The types that formulas compute with.
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]

use num_complex::Complex;
use oplink_vmath::{Double, Single, Wrapped};

use crate::element::{bf16, f16};
use crate::tensor::values::Value;
use crate::{DType, Element};

/// A type that a formula computes with, and the element type of the slices that its values are read from.
pub trait Compute: Element + Copy {
    /// The element type of slices.
    type Stored: Stored;
    /// From an element.
    fn of(stored: Self::Stored) -> Self;
    /// To an element.
    fn stored(self) -> Self::Stored;
}

/// An element type of the slices that loops read and write.
pub trait Stored: Value {
    /// Whether formulas have loops for operands of one element, and for results in an operand's memory: for the type
    /// that networks compute in. Others take a way by buffers.
    const HAS_EVERY_FORM: bool = matches!(Self::DTYPE, DType::Float);
    /// Whether cheap formulas have loops for each instruction set: for the types that programs compute much in. Others
    /// have one loop for every processor.
    const HAS_WIDE_LOOPS: bool =
        matches!(Self::DTYPE, DType::Float | DType::Double | DType::Int32 | DType::Int64 | DType::UInt8);
}

impl<T: Value> Stored for T {}

/// An element type that formulas are instantiated for, with the types that they compute with in its place.
#[diagnostic::on_unimplemented(
    message = "a formula cannot compute with elements of type `{Self}`",
    label = "no numbers and no bools",
    note = "formulas are for bool, f16, bf16, f32, f64, i8..i64, u8..u64, Complex<f32> and Complex<f64>"
)]
pub trait ComputeElement: Element {
    /// On processors without fused multiply-add.
    type Plain: Compute;
    /// On processors with fused multiply-add.
    type Fused: Compute<Stored = <Self::Plain as Compute>::Stored>;
    /// As `Plain`, for formulas whose NaNs are computed again.
    type MarkedPlain: Compute<Stored = <Self::Plain as Compute>::Stored>;
    /// As `Fused`, for formulas whose NaNs are computed again.
    type MarkedFused: Compute<Stored = <Self::Plain as Compute>::Stored>;
}

impl<const FUSED: bool, const MARKED: bool> Compute for Single<FUSED, MARKED> {
    type Stored = f32;
    #[inline(always)]
    fn of(stored: f32) -> Self {
        Self(stored)
    }
    #[inline(always)]
    fn stored(self) -> f32 {
        self.0
    }
}

impl Compute for Double {
    type Stored = f64;
    #[inline(always)]
    fn of(stored: f64) -> Self {
        Self(stored)
    }
    #[inline(always)]
    fn stored(self) -> f64 {
        self.0
    }
}

macro_rules! themselves {
    ($($ty:ty)*) => {$(
        impl Compute for $ty {
            type Stored = Self;
            #[inline(always)]
            fn of(stored: Self) -> Self { stored }
            #[inline(always)]
            fn stored(self) -> Self { self }
        }
    )*};
}

macro_rules! wrapped {
    ($($int:ty)*) => {$(
        impl Compute for Wrapped<$int> {
            type Stored = $int;
            #[inline(always)]
            fn of(stored: $int) -> Self { Self(stored) }
            #[inline(always)]
            fn stored(self) -> $int { self.0 }
        }
        elements!($int => Wrapped<$int>);
    )*};
}

macro_rules! elements {
    ($($ty:ty => $compute:ty),*) => {$(
        impl ComputeElement for $ty {
            type Plain = $compute;
            type Fused = $compute;
            type MarkedPlain = $compute;
            type MarkedFused = $compute;
        }
    )*};
}

macro_rules! singles {
    ($($ty:ty)*) => {$(
        impl ComputeElement for $ty {
            type Plain = Single<false>;
            type Fused = Single<true>;
            type MarkedPlain = Single<false, true>;
            type MarkedFused = Single<true, true>;
        }
    )*};
}

themselves!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex<f32> Complex<f64>);
macro_rules! halves {
    ($($ty:ty)*) => {$(
        impl Compute for $ty {
            type Stored = f32;
            #[inline(always)]
            fn of(stored: f32) -> Self { Self::from_f32(stored) }
            #[inline(always)]
            fn stored(self) -> f32 { self.to_f32() }
        }
    )*};
}

halves!(f16 bf16);
wrapped!(i8 i16 i32 i64 u8 u16 u32 u64);
elements!(bool => bool, f64 => Double, Complex<f32> => Complex<f32>, Complex<f64> => Complex<f64>);
singles!(f16 bf16 f32);
