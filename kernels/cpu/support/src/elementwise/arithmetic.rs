//! Arithmetic of lanes as kernels need it: wrapping for integers, complex numbers included.

use oplink::prelude::*;

/// Addition, subtraction and multiplication; integers wrap around.
pub trait Arithmetic: Element + Copy + PartialEq {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
}

/// Numbers with a sign of their own.
pub trait Negate: Arithmetic {
    /// `-self`; the smallest integer stays itself.
    fn negate(self) -> Self;
}

/// Numbers that are rounded to integers of their own type.
pub trait RoundEven: Arithmetic {
    /// The nearest integer, the even one of two.
    fn round_even(self) -> Self;
}

/// Numbers with an order.
pub trait Ordered: Arithmetic + PartialOrd {
    /// The larger one; NaN where either is.
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        if self > other || is_nan(self) { self } else { other }
    }

    /// The smaller one; NaN where either is.
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        if self < other || is_nan(self) { self } else { other }
    }
}

#[inline(always)]
#[allow(clippy::eq_op, reason = "only NaN differs from itself")]
fn is_nan<T: PartialEq + Copy>(x: T) -> bool {
    x != x
}

/// Real numbers with a sign.
pub trait Signed: Ordered {
    /// The absolute value; the smallest integer stays itself.
    fn abs(self) -> Self;
    /// -1, 0 or 1; NaN for NaN.
    fn sign(self) -> Self;
}

/// Integers as bit patterns.
pub trait Bits: Ordered + Integer {
    /// `self << count`, where a count outside `0..bits` counts as the nearest one inside.
    fn shift_left(self, count: Self) -> Self;
    /// `self >> count`, arithmetic for signed integers; counts as for `shift_left`.
    fn shift_right(self, count: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
        }
        impl Ordered for $ty {}
        impl Bits for $ty {
            #[inline(always)]
            fn shift_left(self, count: Self) -> Self { self << count.clamp(0, Self::BITS as Self - 1) }
            #[inline(always)]
            fn shift_right(self, count: Self) -> Self { self >> count.clamp(0, Self::BITS as Self - 1) }
        }
    )*};
}

macro_rules! signed_integers {
    ($($ty:ty),*) => {$(
        impl Signed for $ty {
            #[inline(always)]
            fn abs(self) -> Self { self.wrapping_abs() }
            #[inline(always)]
            fn sign(self) -> Self { self.signum() }
        }
    )*};
}

macro_rules! one_method {
    ($trait:ident::$method:ident: $($ty:ty => $body:expr),* $(,)?) => {$(
        impl $trait for $ty {
            #[inline(always)]
            fn $method(self) -> Self { ($body)(self) }
        }
    )*};
}

one_method!(Negate::negate: i8 => i8::wrapping_neg, i16 => i16::wrapping_neg, i32 => i32::wrapping_neg,
    i64 => i64::wrapping_neg, f32 => |x: f32| -x, f64 => |x: f64| -x,
    Complex<f32> => |x: Complex<f32>| -x, Complex<f64> => |x: Complex<f64>| -x);
one_method!(RoundEven::round_even: f32 => f32::round_ties_even, f64 => f64::round_ties_even,
    i32 => std::convert::identity, i64 => std::convert::identity);

macro_rules! plain {
    ($($ty:ty, $zero:expr, $one:expr;)*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
        }
    )*};
}

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl Ordered for $ty {}
        impl Signed for $ty {
            #[inline(always)]
            fn abs(self) -> Self { <$ty>::abs(self) }
            #[inline(always)]
            fn sign(self) -> Self {
                let sign = <$ty>::from(i8::from(self > 0.0) - i8::from(self < 0.0));
                if self.is_nan() { self } else { sign }
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);
signed_integers!(i8, i16, i32, i64);
floats!(f32, f64);
plain! {
    f32, 0.0, 1.0;
    f64, 0.0, 1.0;
    Complex<f32>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0);
    Complex<f64>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0);
}
