//! Datasets: pipelines of elements, made of sources, transformations and iterators.
//!
//! A dataset is a value in a scalar of dtype variant; an element is one tensor for each of the attr `output_types`. An
//! iterator is a resource that gives the elements of a dataset one after the other. The attr `metadata` is a text for
//! tools. Functions in attrs take the components of an element, then the inputs that are captured for them.

mod batch;
mod buffer;
mod examples;
mod experimental;
mod files;
mod filter;
mod flat_map;
mod graphs;
mod group;
mod iterator;
mod map;
mod options;
mod order;
mod saved;
mod shapes;
mod sources;
mod values;

pub use batch::*;
pub use buffer::*;
pub use examples::*;
pub use experimental::*;
pub use files::*;
pub use filter::*;
pub use flat_map::*;
pub use graphs::*;
pub use group::*;
pub use iterator::*;
pub use map::*;
pub use options::*;
pub use order::*;
pub use saved::*;
pub use sources::*;
pub use values::*;
