//! Decompositions of matrices, and equations solved by them: batches of matrices in the last two axes, shared out to
//! the threads.
#![deny(unsafe_code)]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod batch;
pub mod cholesky;
mod dense;
pub mod eigen;
pub mod functions;
pub mod least_squares;
pub mod lu;
pub mod qr;
pub mod scalar;
mod schur;
pub mod square_root;
pub mod svd;
pub mod triangular;
pub mod tridiagonal;

pub use cholesky::*;
pub use eigen::*;
pub use functions::*;
pub use least_squares::*;
pub use lu::*;
pub use qr::*;
pub use square_root::*;
pub use svd::*;
pub use triangular::*;
pub use tridiagonal::*;

oplink::anchor!(ops = 0, kernels = 30);
