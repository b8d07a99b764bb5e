//! Sparse matrices as values.

mod cholesky;
mod convert;
mod matrix;
mod ordering;
mod product;

pub use cholesky::*;
pub use convert::*;
pub use matrix::CsrMatrix;
pub use ordering::*;
pub use product::*;
