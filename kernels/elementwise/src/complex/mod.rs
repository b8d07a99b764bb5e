//! Formulas of complex numbers: what is computed otherwise than with real numbers, or leads to and from these.

mod arithmetic;
mod elementary;
mod functions;
mod number;
mod parts;

pub use arithmetic::*;
pub use elementary::*;
pub use number::{ComplexNumber, Parts};
pub use parts::*;
