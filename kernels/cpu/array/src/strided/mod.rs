//! Slices: ranges, and those of NumPy's basic indexing: taken, written, and their gradient.

pub mod slice;
pub mod strided_slice;
pub mod tensor_strided_slice_update;

pub use slice::*;
pub use strided_slice::*;
pub use tensor_strided_slice_update::*;
