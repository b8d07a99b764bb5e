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

/// The functions of a tuple struct around a float that are computed in the float's own precision, without vectors.
macro_rules! special_functions {
    ([$($generics:tt)*] $ty:ty) => {
        impl<$($generics)*> $ty {
            /// `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
            pub fn bessel_i0e(self) -> Self {
                Self(crate::special::bessel_i0e(self.0))
            }

            /// `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
            pub fn bessel_i1e(self) -> Self {
                Self(crate::special::bessel_i1e(self.0))
            }

            /// The quantile of the normal distribution: what has this probability of a smaller value.
            pub fn ndtri(self) -> Self {
                Self(crate::special::ndtri(self.0))
            }

            /// The regularized lower incomplete gamma function of order `self`.
            pub fn igamma(self, x: Self) -> Self {
                Self(crate::special::igamma(self.0, x.0))
            }

            /// The regularized upper incomplete gamma function of order `self`.
            pub fn igammac(self, x: Self) -> Self {
                Self(crate::special::igammac(self.0, x.0))
            }

            /// The derivative of order `self` of the digamma function.
            pub fn polygamma(self, x: Self) -> Self {
                Self(crate::special::polygamma(self.0, x.0))
            }

            /// The Hurwitz zeta function.
            pub fn zeta(self, q: Self) -> Self {
                Self(crate::special::zeta(self.0, q.0))
            }

            /// The modified Bessel function of the first kind of order 0.
            pub fn bessel_i0(self) -> Self {
                Self(crate::special::bessel_i0(self.0))
            }

            /// The modified Bessel function of the first kind of order 1.
            pub fn bessel_i1(self) -> Self {
                Self(crate::special::bessel_i1(self.0))
            }

            /// The Bessel function of the first kind of order 0.
            pub fn bessel_j0(self) -> Self {
                Self(crate::special::bessel_j0(self.0))
            }

            /// The Bessel function of the first kind of order 1.
            pub fn bessel_j1(self) -> Self {
                Self(crate::special::bessel_j1(self.0))
            }

            /// The modified Bessel function of the second kind of order 0.
            pub fn bessel_k0(self) -> Self {
                Self(crate::special::bessel_k0(self.0))
            }

            /// `exp(x)` times the modified Bessel function of the second kind of order 0.
            pub fn bessel_k0e(self) -> Self {
                Self(crate::special::bessel_k0e(self.0))
            }

            /// The modified Bessel function of the second kind of order 1.
            pub fn bessel_k1(self) -> Self {
                Self(crate::special::bessel_k1(self.0))
            }

            /// `exp(x)` times the modified Bessel function of the second kind of order 1.
            pub fn bessel_k1e(self) -> Self {
                Self(crate::special::bessel_k1e(self.0))
            }

            /// The Bessel function of the second kind of order 0.
            pub fn bessel_y0(self) -> Self {
                Self(crate::special::bessel_y0(self.0))
            }

            /// The Bessel function of the second kind of order 1.
            pub fn bessel_y1(self) -> Self {
                Self(crate::special::bessel_y1(self.0))
            }

            /// Dawson's integral.
            pub fn dawsn(self) -> Self {
                Self(crate::special::dawsn(self.0))
            }

            /// The exponential integral Ei.
            pub fn expint(self) -> Self {
                Self(crate::special::expint(self.0))
            }

            /// The Fresnel integral of the cosine.
            pub fn fresnel_cos(self) -> Self {
                Self(crate::special::fresnel_cos(self.0))
            }

            /// The Fresnel integral of the sine.
            pub fn fresnel_sin(self) -> Self {
                Self(crate::special::fresnel_sin(self.0))
            }

            /// The dilogarithm of `1 - x`.
            pub fn spence(self) -> Self {
                Self(crate::special::spence(self.0))
            }

            /// The derivative of [`igamma`](Self::igamma) by its order `self`.
            pub fn igamma_grad_a(self, x: Self) -> Self {
                Self(crate::special::igamma_grad_a(self.0, x.0))
            }

            /// The derivative of a sample of the gamma distribution of shape `self` by the shape.
            pub fn random_gamma_grad(self, x: Self) -> Self {
                Self(crate::special::random_gamma_grad(self.0, x.0))
            }
        }
    };
}

pub(crate) use {float, number, special_functions};
