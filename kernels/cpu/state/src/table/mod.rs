//! Lookup tables: maps from integers or strings to values of one shape.

mod keys;
mod resource;
mod values;

mod create;
mod dense;
mod entries;
mod text_file;

pub use create::*;
pub use dense::*;
pub use entries::*;
pub use resource::LookupTable;
pub use text_file::*;
