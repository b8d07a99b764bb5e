//! Slices in the manner of NumPy's basic indexing: taken, written, and their gradient.

pub(crate) mod region;
pub mod strided_slice;
pub mod strided_slice_grad;
pub mod tensor_strided_slice_update;

pub use strided_slice::*;
pub use strided_slice_grad::*;
pub use tensor_strided_slice_update::*;
