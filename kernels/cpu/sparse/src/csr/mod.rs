//! Sparse matrices as values.

mod convert;
mod matrix;
mod product;

pub use convert::*;
pub use matrix::CsrMatrix;
pub use product::*;
