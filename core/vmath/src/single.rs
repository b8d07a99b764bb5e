//! Single-precision numbers whose functions are those of [`functions`], for formulas that are compiled into loops.

use crate::number::{float, number, special_functions};
use crate::{functions, special};

/// A single-precision number. `FUSED` tells whether the processor has fused multiply-add.
///
/// Sine, cosine and tangent of magnitudes above [`functions::TRIGONOMETRIC_LIMIT`] are computed in double precision, a
/// branch that keeps a loop from being vectorised. Where `MARKED`, they are NaN instead: the loop then computes every
/// element that is NaN again, without marks.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
pub struct Single<const FUSED: bool, const MARKED: bool = false>(pub f32);

impl<const FUSED: bool, const MARKED: bool> Single<FUSED, MARKED> {
    /// A function that is good up to a limit, and its value in double precision beyond.
    #[inline(always)]
    fn limited(self, function: impl Fn(f32) -> f32, beyond: impl Fn(f64) -> f64) -> Self {
        let (x, is_within) = (self.0, self.0.abs() <= functions::TRIGONOMETRIC_LIMIT);
        if MARKED {
            let value = function(x);
            return Self(if is_within { value } else { f32::NAN });
        }
        Self(if is_within { function(x) } else { beyond(x as f64) as f32 })
    }

    /// A function in double precision, rounded.
    #[inline(always)]
    fn through_double(self, function: impl Fn(f64) -> f64) -> Self {
        Self(function(self.0 as f64) as f32)
    }

    /// The Gauss error function.
    #[inline(always)]
    pub fn erf(self) -> Self {
        Self(functions::erf::<FUSED>(self.0))
    }

    /// `1 - erf(x)`.
    #[inline(always)]
    pub fn erfc(self) -> Self {
        Self(functions::erfc::<FUSED>(self.0))
    }

    /// What has this error function.
    #[inline(always)]
    pub fn erfinv(self) -> Self {
        self.through_double(special::erfinv)
    }

    /// The logarithm of the magnitude of the gamma function.
    #[inline(always)]
    pub fn lgamma(self) -> Self {
        self.through_double(libm::lgamma)
    }

    /// The derivative of [`lgamma`](Self::lgamma).
    #[inline(always)]
    pub fn digamma(self) -> Self {
        self.through_double(special::digamma)
    }

    /// `1 / (1 + exp(-x))`.
    #[inline(always)]
    pub fn sigmoid(self) -> Self {
        Self(functions::sigmoid::<FUSED>(self.0))
    }

    /// The nearest integer, the even one of two.
    #[inline(always)]
    pub fn round_ties_even(self) -> Self {
        Self(self.0.round_ties_even())
    }
}

number!([const FUSED: bool, const MARKED: bool] Single<FUSED, MARKED>, f32, to_f32);
special_functions!([const FUSED: bool, const MARKED: bool] Single<FUSED, MARKED>);
float! {
    [const FUSED: bool, const MARKED: bool] Single<FUSED, MARKED>, f32;
    constants: nan infinity neg_infinity neg_zero min_value min_positive_value epsilon max_value;
    tests: is_nan is_infinite is_finite is_normal is_sign_positive is_sign_negative;
    own: floor ceil round trunc fract abs signum recip sqrt exp2 log2 log10 cbrt to_degrees to_radians;
    own2: max min hypot copysign;
    given {
        exp |x| Self(functions::exp::<FUSED>(x.0));
        exp_m1 |x| Self(functions::expm1::<FUSED>(x.0));
        ln |x| Self(functions::log::<FUSED>(x.0));
        ln_1p |x| Self(functions::log1p::<FUSED>(x.0));
        asin |x| Self(functions::asin::<FUSED>(x.0));
        acos |x| Self(functions::acos::<FUSED>(x.0));
        atan |x| Self(functions::atan::<FUSED>(x.0));
        sinh |x| Self(functions::sinh::<FUSED>(x.0));
        cosh |x| Self(functions::cosh::<FUSED>(x.0));
        tanh |x| Self(functions::tanh::<FUSED>(x.0));
        asinh |x| Self(functions::asinh::<FUSED>(x.0));
        acosh |x| Self(functions::acosh::<FUSED>(x.0));
        atanh |x| Self(functions::atanh::<FUSED>(x.0));
        sin |x| x.limited(functions::sin::<FUSED>, f64::sin);
        cos |x| x.limited(functions::cos::<FUSED>, f64::cos);
        tan |x| x.limited(functions::tan::<FUSED>, f64::tan);
    }
    given2 {
        powf |x, y| functions::pow::<FUSED>(x, y);
        atan2 |x, y| functions::atan2::<FUSED>(x, y);
    }
}

#[cfg(test)]
mod tests {
    use num_traits::Float as _;

    use super::*;

    #[test]
    fn functions_beyond_their_limit_are_exact_or_marked() {
        let large = 3e7f32;
        let exact = (large as f64).sin() as f32;
        assert_eq!(Single::<true>(large).sin().0, exact);
        assert!(Single::<true, true>(large).sin().0.is_nan());
        assert_eq!(Single::<false, true>(0.5).sin(), Single(functions::sin::<false>(0.5)));
        assert!(Single::<false>(f32::INFINITY).cos().0.is_nan());
    }

    #[test]
    fn functions_are_the_vectorised_ones() {
        let x = Single::<false>(0.7);
        assert_eq!(x.exp().0, functions::exp::<false>(0.7));
        assert_eq!(x.powf(Single(1.5)).0, functions::pow::<false>(0.7, 1.5));
        assert_eq!((x + Single(1.0)).ln().0, functions::log::<false>(1.7));
    }
}
