//! Optionals: several tensors or nothing, in a scalar of dtype variant.

mod shapes;
mod value;

pub mod optional_from_value;
pub mod optional_get_value;
pub mod optional_has_value;
pub mod optional_none;

pub use optional_from_value::*;
pub use optional_get_value::*;
pub use optional_has_value::*;
pub use optional_none::*;
pub use value::Optional;
