//! Machinery shared by kernels: elementwise engines, moves by element width, vectorised functions, parallel loops, and
//! a way to run one kernel in a test.

pub mod complex;
pub mod elementwise;
pub mod movement;
pub mod philox;
pub mod reduced_axes;
pub mod special;
pub mod stepping;
pub mod testing;
pub mod vector;
pub mod vectorize;
#[cfg(feature = "nn")]
pub mod window;

pub use oplink::parallel;
