//! Arithmetic of compute types as kernels need it: wrapping for integers, complex numbers included.

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
