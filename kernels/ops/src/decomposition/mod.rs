//! Matrices taken apart and equations solved: batches of matrices in the last two axes.

mod batch;
mod eigen;
mod factors;
mod functions;
mod shapes;
mod solve;
mod tridiagonal;

pub use batch::*;
pub use eigen::*;
pub use factors::*;
pub use functions::*;
pub use solve::*;
pub use tridiagonal::*;
