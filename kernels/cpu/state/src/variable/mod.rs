//! Variables: resource variables, whose ops take a handle, and reference variables, whose ops take and give references.
//!
//! Both are [`oplink::resource::Variable`], and a reference is at run time a handle too, so that each update has one
//! body for both forms of its op.

mod assign;
mod count_up_to;
mod handles;
mod read;

pub use assign::*;
pub use count_up_to::*;
pub use handles::*;
pub use read::*;
