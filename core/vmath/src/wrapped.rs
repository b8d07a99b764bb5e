//! Integers whose operators wrap around, for formulas.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Rem, Shl, Shr, Sub};

use num_traits::{
    Bounded, CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Num, NumCast, One, PrimInt, Saturating, ToPrimitive,
    WrappingAdd, WrappingMul, WrappingSub, Zero,
};

/// An integer. Sums, differences, products and quotients wrap around; a quotient and a remainder by 0 are 0. A shift by
/// as many bits as there are, or more, is one by all but one.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wrapped<I>(pub I);

macro_rules! wrapped {
    ($($int:ty)*) => {$(
        operators!($int: Add add |x, y| x.wrapping_add(y); Sub sub |x, y| x.wrapping_sub(y);
            Mul mul |x, y| x.wrapping_mul(y); Div div |x, y| if y == 0 { 0 } else { x.wrapping_div(y) };
            Rem rem |x, y| if y == 0 { 0 } else { x.wrapping_rem(y) };
            BitAnd bitand |x, y| x & y; BitOr bitor |x, y| x | y; BitXor bitxor |x, y| x ^ y;);

        impl Not for Wrapped<$int> {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self { Self(!self.0) }
        }
        impl Shl<usize> for Wrapped<$int> {
            type Output = Self;
            #[inline(always)]
            fn shl(self, bits: usize) -> Self { Self(self.0 << bits.min(<$int>::BITS as usize - 1)) }
        }
        impl Shr<usize> for Wrapped<$int> {
            type Output = Self;
            #[inline(always)]
            fn shr(self, bits: usize) -> Self { Self(self.0 >> bits.min(<$int>::BITS as usize - 1)) }
        }
        impl Zero for Wrapped<$int> {
            #[inline(always)]
            fn zero() -> Self { Self(0) }
            #[inline(always)]
            fn is_zero(&self) -> bool { self.0 == 0 }
        }
        impl One for Wrapped<$int> {
            #[inline(always)]
            fn one() -> Self { Self(1) }
        }
        impl Bounded for Wrapped<$int> {
            #[inline(always)]
            fn min_value() -> Self { Self(<$int>::MIN) }
            #[inline(always)]
            fn max_value() -> Self { Self(<$int>::MAX) }
        }
        impl Num for Wrapped<$int> {
            type FromStrRadixErr = <$int as Num>::FromStrRadixErr;
            fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
                <$int>::from_str_radix(text, radix).map(Self)
            }
        }
        impl ToPrimitive for Wrapped<$int> {
            #[inline(always)]
            fn to_i64(&self) -> Option<i64> { self.0.to_i64() }
            #[inline(always)]
            fn to_u64(&self) -> Option<u64> { self.0.to_u64() }
            #[inline(always)]
            fn to_f32(&self) -> Option<f32> { self.0.to_f32() }
            #[inline(always)]
            fn to_f64(&self) -> Option<f64> { self.0.to_f64() }
        }
        impl NumCast for Wrapped<$int> {
            #[inline(always)]
            fn from<N: ToPrimitive>(number: N) -> Option<Self> { <$int as NumCast>::from(number).map(Self) }
        }
        impl CheckedAdd for Wrapped<$int> {
            #[inline(always)]
            fn checked_add(&self, other: &Self) -> Option<Self> { self.0.checked_add(other.0).map(Self) }
        }
        impl CheckedSub for Wrapped<$int> {
            #[inline(always)]
            fn checked_sub(&self, other: &Self) -> Option<Self> { self.0.checked_sub(other.0).map(Self) }
        }
        impl CheckedMul for Wrapped<$int> {
            #[inline(always)]
            fn checked_mul(&self, other: &Self) -> Option<Self> { self.0.checked_mul(other.0).map(Self) }
        }
        impl CheckedDiv for Wrapped<$int> {
            #[inline(always)]
            fn checked_div(&self, other: &Self) -> Option<Self> { self.0.checked_div(other.0).map(Self) }
        }
        impl Saturating for Wrapped<$int> {
            #[inline(always)]
            fn saturating_add(self, other: Self) -> Self { Self(self.0.saturating_add(other.0)) }
            #[inline(always)]
            fn saturating_sub(self, other: Self) -> Self { Self(self.0.saturating_sub(other.0)) }
        }
        impl WrappingAdd for Wrapped<$int> {
            #[inline(always)]
            fn wrapping_add(&self, other: &Self) -> Self { Self(self.0.wrapping_add(other.0)) }
        }
        impl WrappingSub for Wrapped<$int> {
            #[inline(always)]
            fn wrapping_sub(&self, other: &Self) -> Self { Self(self.0.wrapping_sub(other.0)) }
        }
        impl WrappingMul for Wrapped<$int> {
            #[inline(always)]
            fn wrapping_mul(&self, other: &Self) -> Self { Self(self.0.wrapping_mul(other.0)) }
        }
        impl PrimInt for Wrapped<$int> {
            #[inline(always)]
            fn count_ones(self) -> u32 { self.0.count_ones() }
            #[inline(always)]
            fn count_zeros(self) -> u32 { self.0.count_zeros() }
            #[inline(always)]
            fn leading_zeros(self) -> u32 { self.0.leading_zeros() }
            #[inline(always)]
            fn trailing_zeros(self) -> u32 { self.0.trailing_zeros() }
            #[inline(always)]
            fn rotate_left(self, n: u32) -> Self { Self(self.0.rotate_left(n)) }
            #[inline(always)]
            fn rotate_right(self, n: u32) -> Self { Self(self.0.rotate_right(n)) }
            #[inline(always)]
            fn signed_shl(self, n: u32) -> Self { Self(PrimInt::signed_shl(self.0, n.min(<$int>::BITS - 1))) }
            #[inline(always)]
            fn signed_shr(self, n: u32) -> Self { Self(PrimInt::signed_shr(self.0, n.min(<$int>::BITS - 1))) }
            #[inline(always)]
            fn unsigned_shl(self, n: u32) -> Self { Self(PrimInt::unsigned_shl(self.0, n.min(<$int>::BITS - 1))) }
            #[inline(always)]
            fn unsigned_shr(self, n: u32) -> Self { Self(PrimInt::unsigned_shr(self.0, n.min(<$int>::BITS - 1))) }
            #[inline(always)]
            fn swap_bytes(self) -> Self { Self(self.0.swap_bytes()) }
            #[inline(always)]
            fn from_be(x: Self) -> Self { Self(<$int>::from_be(x.0)) }
            #[inline(always)]
            fn from_le(x: Self) -> Self { Self(<$int>::from_le(x.0)) }
            #[inline(always)]
            fn to_be(self) -> Self { Self(self.0.to_be()) }
            #[inline(always)]
            fn to_le(self) -> Self { Self(self.0.to_le()) }
            #[inline(always)]
            fn pow(self, exponent: u32) -> Self { Self(self.0.wrapping_pow(exponent)) }
        }
    )*};
}

macro_rules! operators {
    ($int:ty: $($operator:ident $method:ident |$x:ident, $y:ident| $value:expr;)*) => {$(
        impl $operator for Wrapped<$int> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($x, $y) = (self.0, other.0);
                Self($value)
            }
        }
    )*};
}

wrapped!(i8 i16 i32 i64 u8 u16 u32 u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_wrap_around() {
        let (most, least) = (Wrapped(i8::MAX), Wrapped(i8::MIN));
        assert_eq!(most + Wrapped(1), least);
        assert_eq!(least - Wrapped(1), most);
        assert_eq!(Wrapped(100i8) * Wrapped(3), Wrapped(44));
        assert_eq!(least / Wrapped(-1), least);
        assert_eq!(Wrapped(7u8) / Wrapped(0), Wrapped(0));
        assert_eq!(Wrapped(7i64) % Wrapped(0), Wrapped(0));
        assert_eq!(Wrapped(1u8) << 9, Wrapped(128));
        assert_eq!(PrimInt::pow(Wrapped(3i8), 5), Wrapped(-13));
    }
}
