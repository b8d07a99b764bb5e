//! Tensor lists: sequences of tensors that travel as a value, in a scalar of dtype variant.

mod empty_tensor_list;
mod shapes;
mod tensor_list_concat_lists;
mod tensor_list_concat_v2;
mod tensor_list_element_shape;
mod tensor_list_from_tensor;
mod tensor_list_gather;
mod tensor_list_get_item;
mod tensor_list_length;
mod tensor_list_pop_back;
mod tensor_list_push_back;
mod tensor_list_push_back_batch;
mod tensor_list_reserve;
mod tensor_list_resize;
mod tensor_list_scatter;
mod tensor_list_set_item;
mod tensor_list_split;
mod tensor_list_stack;

pub use empty_tensor_list::*;
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
