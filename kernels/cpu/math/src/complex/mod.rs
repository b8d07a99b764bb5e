//! Parts of complex numbers.

mod angle;
mod complex;
mod complex_abs;
mod conj;
mod imag;
mod real;
