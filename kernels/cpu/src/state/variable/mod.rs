//! Variables: resource variables, whose ops take a handle, and reference variables, whose ops take and give references.
//!
//! Both are [`oplink::Variable`], and a reference is at run time a handle too, so that each update has one body for both
//! forms of its op.

mod shapes;
mod update;

pub mod assign;
pub mod assign_add;
pub mod assign_sub;
pub mod assign_variable_op;
pub mod destroy_resource_op;
pub mod disable_copy_on_read;
pub mod read_variable_op;
pub mod temporary_variable;
pub mod var_handle_op;
pub mod var_is_initialized_op;
pub mod variable_shape;
pub mod variable_v2;

pub use assign::*;
pub use assign_add::*;
pub use assign_sub::*;
pub use assign_variable_op::*;
pub use destroy_resource_op::*;
pub use disable_copy_on_read::*;
pub use read_variable_op::*;
pub use temporary_variable::*;
pub use var_handle_op::*;
pub use var_is_initialized_op::*;
pub use variable_shape::*;
pub use variable_v2::*;
