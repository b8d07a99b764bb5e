//! Lookup tables: maps from integers or strings to values of one shape.

mod keys;
mod resource;
mod values;

mod create;
mod entries;
mod text_file;

pub use create::*;
pub use entries::*;
pub use resource::LookupTable;
pub use text_file::*;
