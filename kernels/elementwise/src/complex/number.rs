//! The complex numbers that formulas compute with.

use num_traits::AsPrimitive;
use oplink::elementwise::Compute;
use oplink::prelude::*;

use super::functions::C;

/// A complex number. What is not computed in its own precision is computed in double precision and rounded once.
pub trait ComplexNumber: Number {
    /// In double precision.
    fn to_double(self) -> C;
    /// From double precision, rounded.
    fn from_double(value: C) -> Self;
    /// The complex conjugate.
    #[must_use]
    fn conjugate(self) -> Self;
}

/// A complex number whose parts are computed with as `P`.
pub trait Parts<P>: Element + Copy {
    /// The number with these parts.
    fn from_parts(re: P, im: P) -> Self;
    /// The real part.
    fn real(self) -> P;
    /// The imaginary part.
    fn imaginary(self) -> P;
    /// The absolute value.
    fn magnitude(self) -> P;
    /// The angle to the positive real axis, from -pi to pi.
    fn argument(self) -> P;
}

macro_rules! complex_numbers {
    ($($part:ty)*) => {$(
        impl ComplexNumber for Complex<$part> {
            #[inline(always)]
            fn to_double(self) -> C {
                C::new(self.re.as_(), self.im.as_())
            }

            #[inline(always)]
            fn from_double(value: C) -> Self {
                Self::new(value.re.as_(), value.im.as_())
            }

            #[inline(always)]
            fn conjugate(self) -> Self {
                self.conj()
            }
        }

        impl<P: Compute<Stored = $part>> Parts<P> for Complex<$part> {
            #[inline(always)]
            fn from_parts(re: P, im: P) -> Self {
                Self::new(re.stored(), im.stored())
            }

            #[inline(always)]
            fn real(self) -> P {
                P::of(self.re)
            }

            #[inline(always)]
            fn imaginary(self) -> P {
                P::of(self.im)
            }

            #[inline(always)]
            fn magnitude(self) -> P {
                P::of(self.norm())
            }

            #[inline(always)]
            fn argument(self) -> P {
                P::of(self.arg())
            }
        }
    )*};
}

complex_numbers!(f32 f64);
