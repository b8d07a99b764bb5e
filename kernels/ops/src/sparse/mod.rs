//! Sparse tensors: `indices` [count, rank], `values` [count] and a dense shape [rank].
//!
//! Ops that join or compare two of them expect the indices in row-major order; `SparseReorder` makes it.

mod arithmetic;
mod arrangement;
mod csr;
mod dense;
mod reductions;
mod rows;
mod sets;
mod shapes;

pub use arithmetic::*;
pub use arrangement::*;
pub use csr::*;
pub use dense::*;
pub use reductions::*;
pub use rows::*;
pub use sets::*;
