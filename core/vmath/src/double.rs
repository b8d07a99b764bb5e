//! Double-precision numbers whose functions are the most exact ones at hand, for formulas.

use crate::number::{float, number, special_functions};
use crate::special;

/// A double-precision number.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
pub struct Double(pub f64);

impl Double {
    /// The Gauss error function.
    pub fn erf(self) -> Self {
        Self(libm::erf(self.0))
    }

    /// `1 - erf(x)`.
    pub fn erfc(self) -> Self {
        Self(libm::erfc(self.0))
    }

    /// What has this error function.
    pub fn erfinv(self) -> Self {
        Self(special::erfinv(self.0))
    }

    /// The logarithm of the magnitude of the gamma function.
    pub fn lgamma(self) -> Self {
        Self(libm::lgamma(self.0))
    }

    /// The derivative of [`lgamma`](Self::lgamma).
    pub fn digamma(self) -> Self {
        Self(special::digamma(self.0))
    }

    /// `1 / (1 + exp(-x))`.
    #[inline(always)]
    pub fn sigmoid(self) -> Self {
        Self(1.0 / (1.0 + (-self.0).exp()))
    }

    /// The nearest integer, the even one of two.
    #[inline(always)]
    pub fn round_ties_even(self) -> Self {
        Self(self.0.round_ties_even())
    }
}

number!([] Double, f64, to_f64);
special_functions!([] Double);
float! {
    [] Double, f64;
    constants: nan infinity neg_infinity neg_zero min_value min_positive_value epsilon max_value;
    tests: is_nan is_infinite is_finite is_normal is_sign_positive is_sign_negative;
    own: floor ceil round trunc fract abs signum recip sqrt exp2 log2 log10 cbrt to_degrees to_radians exp exp_m1 ln ln_1p
        sin cos tan asin acos atan sinh cosh tanh;
    own2: max min hypot copysign powf atan2;
    given {
        asinh |x| Self(libm::asinh(x.0));
        acosh |x| Self(if x.0 < 1.0 { f64::NAN } else { libm::acosh(x.0) });
        atanh |x| Self(libm::atanh(x.0));
    }
    given2 {
    }
}
