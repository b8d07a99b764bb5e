//! Lookup tables: maps from integers or strings to values of one shape.

mod hash_table;
mod initialize_table;
mod initialize_table_from_text_file;
mod lookup_table_export;
mod lookup_table_find;
mod lookup_table_import;
mod lookup_table_insert;
mod lookup_table_remove;
mod lookup_table_size;
mod mutable_dense_hash_table;
mod mutable_hash_table;
mod mutable_hash_table_of_tensors;
mod shapes;

pub use hash_table::*;
pub use initialize_table::*;
pub use initialize_table_from_text_file::*;
pub use lookup_table_export::*;
pub use lookup_table_find::*;
pub use lookup_table_import::*;
pub use lookup_table_insert::*;
pub use lookup_table_remove::*;
pub use lookup_table_size::*;
pub use mutable_dense_hash_table::*;
pub use mutable_hash_table::*;
pub use mutable_hash_table_of_tensors::*;
