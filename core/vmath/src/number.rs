//! What makes a wrapper of a float a number: operators, conversions, and the functions that `num_traits` names.

/// Operators and conversions of a tuple struct around a float.
macro_rules! number {
    ([$($generics:tt)*] $ty:ty, $inner:ty, $to:ident) => {
        number!(operators [$($generics)*] $ty: Add add, Sub sub, Mul mul, Div div, Rem rem);

        impl<$($generics)*> std::ops::Neg for $ty {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }

        impl<$($generics)*> num_traits::Zero for $ty {
            #[inline(always)]
            fn zero() -> Self {
                Self(0.0)
            }
            #[inline(always)]
            fn is_zero(&self) -> bool {
                self.0 == 0.0
            }
        }

        impl<$($generics)*> num_traits::One for $ty {
            #[inline(always)]
            fn one() -> Self {
                Self(1.0)
            }
        }

        impl<$($generics)*> num_traits::Num for $ty {
            type FromStrRadixErr = <$inner as num_traits::Num>::FromStrRadixErr;
            fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
                <$inner as num_traits::Num>::from_str_radix(text, radix).map(Self)
            }
        }

        impl<$($generics)*> num_traits::ToPrimitive for $ty {
            fn to_i64(&self) -> Option<i64> {
                num_traits::ToPrimitive::to_i64(&self.0)
            }
            fn to_u64(&self) -> Option<u64> {
                num_traits::ToPrimitive::to_u64(&self.0)
            }
            #[inline(always)]
            fn to_f32(&self) -> Option<f32> {
                Some(self.0 as f32)
            }
            #[inline(always)]
            fn to_f64(&self) -> Option<f64> {
                Some(self.0 as f64)
            }
        }

        impl<$($generics)*> num_traits::NumCast for $ty {
            #[inline(always)]
            fn from<N: num_traits::ToPrimitive>(number: N) -> Option<Self> {
                number.$to().map(Self)
            }
        }
    };
    (operators $generics:tt $ty:ty: $($operator:ident $method:ident),*) => {
        $(number!(operator $generics $ty, $operator $method);)*
    };
    (operator [$($generics:tt)*] $ty:ty, $operator:ident $method:ident) => {
        impl<$($generics)*> std::ops::$operator for $ty {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(std::ops::$operator::$method(self.0, other.0))
            }
        }
    };
}

/// The functions of a tuple struct around a float: those of the float itself, and those given with their values.
macro_rules! float {
    ([$($generics:tt)*] $ty:ty, $inner:ty;
     constants: $($constant:ident)*; tests: $($test:ident)*; own: $($own:ident)*; own2: $($own2:ident)*;
     given { $($given:ident |$x:ident| $value:expr;)* }
     given2 { $($given2:ident |$x2:ident, $y2:ident| $value2:expr;)* }) => {
        impl<$($generics)*> num_traits::Float for $ty {
            $(#[inline(always)]
            fn $constant() -> Self { Self(<$inner as num_traits::Float>::$constant()) })*
            $(#[inline(always)]
            fn $test(self) -> bool { <$inner>::$test(self.0) })*
            $(#[inline(always)]
            fn $own(self) -> Self { Self(<$inner>::$own(self.0)) })*
            $(#[inline(always)]
            fn $own2(self, other: Self) -> Self { Self(<$inner>::$own2(self.0, other.0)) })*
            $(#[inline(always)]
            fn $given(self) -> Self {
                let $x = self;
                $value
            })*
            $(#[inline(always)]
            fn $given2(self, other: Self) -> Self {
                let ($x2, $y2) = (self.0, other.0);
                Self($value2)
            })*

            #[inline(always)]
            fn classify(self) -> std::num::FpCategory { self.0.classify() }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self { Self(self.0.mul_add(a.0, b.0)) }
            #[inline(always)]
            fn powi(self, n: i32) -> Self { Self(self.0.powi(n)) }
            #[inline(always)]
            fn log(self, base: Self) -> Self { num_traits::Float::ln(self) / num_traits::Float::ln(base) }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) { (num_traits::Float::sin(self), num_traits::Float::cos(self)) }
            #[inline(always)]
            fn abs_sub(self, other: Self) -> Self { if self <= other { Self(0.0) } else { self - other } }
            fn integer_decode(self) -> (u64, i16, i8) { num_traits::Float::integer_decode(self.0) }
        }
    };
}

pub(crate) use {float, number};
