//! Tensor arrays: tensors that are written, each once, and read within a step.

mod shapes;
mod tensor_array_close_v3;
mod tensor_array_concat_v3;
mod tensor_array_gather_v3;
mod tensor_array_grad_v3;
mod tensor_array_read_v3;
mod tensor_array_scatter_v3;
mod tensor_array_size_v3;
mod tensor_array_split_v3;
mod tensor_array_v3;
mod tensor_array_write_v3;
mod versions;

pub use tensor_array_close_v3::*;
pub use tensor_array_concat_v3::*;
pub use tensor_array_gather_v3::*;
pub use tensor_array_grad_v3::*;
pub use tensor_array_read_v3::*;
pub use tensor_array_scatter_v3::*;
pub use tensor_array_size_v3::*;
pub use tensor_array_split_v3::*;
pub use tensor_array_v3::*;
pub use tensor_array_write_v3::*;
pub use versions::*;
