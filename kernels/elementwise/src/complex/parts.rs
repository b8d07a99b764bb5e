//! The parts of complex numbers.

use oplink::elementwise::Compute;
use oplink::prelude::*;
use oplink_ops::math;

use super::Parts;

/// The number with a real and an imaginary part.
#[kernel(math::Complex, device = CPU, scalar, T = [f32], Tout = [Complex<f32>])]
#[kernel(math::Complex, device = CPU, scalar, T = [f64], Tout = [Complex<f64>])]
pub fn from_parts<T: Compute, Tout: Parts<T>>(real: T, imag: T) -> Tout {
    Tout::from_parts(real, imag)
}

/// The real part.
#[kernel(math::Real, device = CPU, scalar, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::Real, device = CPU, scalar, T = [Complex<f64>], Tout = [f64])]
pub fn real_part<T: Parts<Tout>, Tout: Compute>(input: T) -> Tout {
    input.real()
}

/// The imaginary part.
#[kernel(math::Imag, device = CPU, scalar, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::Imag, device = CPU, scalar, T = [Complex<f64>], Tout = [f64])]
pub fn imaginary_part<T: Parts<Tout>, Tout: Compute>(input: T) -> Tout {
    input.imaginary()
}

/// The absolute value.
#[kernel(math::ComplexAbs, device = CPU, scalar, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::ComplexAbs, device = CPU, scalar, T = [Complex<f64>], Tout = [f64])]
pub fn magnitude_of_complex<T: Parts<Tout>, Tout: Compute>(x: T) -> Tout {
    x.magnitude()
}

/// The angle to the positive real axis.
#[kernel(math::Angle, device = CPU, scalar, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::Angle, device = CPU, scalar, T = [Complex<f64>], Tout = [f64])]
pub fn argument<T: Parts<Tout>, Tout: Compute>(input: T) -> Tout {
    input.argument()
}
