//! Variables: resource variables, whose ops take a handle, and reference variables, whose ops take and give references.

mod assign;
mod assign_add;
mod assign_sub;
mod assign_variable_op;
mod count_up_to;
mod destroy_resource_op;
mod disable_copy_on_read;
mod read_variable_op;
mod shapes;
mod temporary_variable;
mod var_handle_op;
mod var_is_initialized_op;
mod variable_shape;
mod variable_v2;

pub use assign::*;
pub use assign_add::*;
pub use assign_sub::*;
pub use assign_variable_op::*;
pub use count_up_to::*;
pub use destroy_resource_op::*;
pub use disable_copy_on_read::*;
pub use read_variable_op::*;
pub use temporary_variable::*;
pub use var_handle_op::*;
pub use var_is_initialized_op::*;
pub use variable_shape::*;
pub use variable_v2::*;
