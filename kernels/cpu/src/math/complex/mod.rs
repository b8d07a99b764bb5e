//! Parts of complex numbers.

mod angle;
mod complex;
mod complex_abs;
mod conj;
mod imag;
mod real;

pub use angle::*;
pub use complex::*;
pub use complex_abs::*;
pub use conj::*;
pub use imag::*;
pub use real::*;
