//! Tensor lists: sequences of tensors that travel as a value, in a scalar of dtype variant.
//!
//! An op that changes a list gives a new one. It takes over the old one's memory where nobody else holds that, so that a loop
//! that sets or pushes one element at a time does not copy the others.

mod access;
mod shapes;
mod tensor_list;

pub mod empty_tensor_list;
pub mod tensor_list_concat_lists;
pub mod tensor_list_concat_v2;
pub mod tensor_list_element_shape;
pub mod tensor_list_from_tensor;
pub mod tensor_list_gather;
pub mod tensor_list_get_item;
pub mod tensor_list_length;
pub mod tensor_list_pop_back;
pub mod tensor_list_push_back;
pub mod tensor_list_push_back_batch;
pub mod tensor_list_reserve;
pub mod tensor_list_resize;
pub mod tensor_list_scatter;
pub mod tensor_list_set_item;
pub mod tensor_list_split;
pub mod tensor_list_stack;

pub use empty_tensor_list::*;
pub use tensor_list::TensorList;
pub use tensor_list_concat_lists::*;
pub use tensor_list_concat_v2::*;
pub use tensor_list_element_shape::*;
pub use tensor_list_from_tensor::*;
pub use tensor_list_gather::*;
pub use tensor_list_get_item::*;
pub use tensor_list_length::*;
pub use tensor_list_pop_back::*;
pub use tensor_list_push_back::*;
pub use tensor_list_push_back_batch::*;
pub use tensor_list_reserve::*;
pub use tensor_list_resize::*;
pub use tensor_list_scatter::*;
pub use tensor_list_set_item::*;
pub use tensor_list_split::*;
pub use tensor_list_stack::*;
