//! Optionals: several tensors or nothing, in a scalar of dtype variant.

mod optional_from_value;
mod optional_get_value;
mod optional_has_value;
mod optional_none;
mod shapes;

pub use optional_from_value::*;
pub use optional_get_value::*;
pub use optional_has_value::*;
pub use optional_none::*;
