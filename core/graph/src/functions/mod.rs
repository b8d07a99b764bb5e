//! Functions: graphs with arguments and results that nodes call by name.
//!
//! `body` makes a function of a graph's library into a graph for given attrs; `names` resolves how bodies write inputs;
//! `list_products` finds products that a loop may make of whole lists, and `products_from_list` makes bodies without
//! them; `call` makes nodes whose op is a function into calls; `from_graph` makes a part of a graph into a function,
//! with `new_names` and the `hash` of its name; `shapes` infers what a call returns; `stateful` tells functions with
//! effects, `waiting` those that may wait; `trace` makes a function op by op; `text` writes one for readers; `written`
//! has the graphs that kernels write and read.

mod body;
mod call;
mod from_graph;
mod hash;
mod list_products;
mod lstm;
mod names;
mod new_names;
mod products_from_list;
mod shapes;
mod stateful;
mod text;
mod trace;
mod waiting;
mod written;

pub use body::FunctionGraph;
pub(crate) use body::{ARGUMENT_SHAPES_ATTR, Around, Body};
pub(crate) use call::{as_call, calls_function, names_function};
pub use from_graph::{BodyNodes, FunctionOptions};
pub(crate) use list_products::{ListProducts, is_read};
pub(crate) use lstm::{Bound, Lstm, bounds};
pub(crate) use products_from_list::{ATTR as PRODUCTS_ATTR, SHAPES_ATTR as PRODUCT_SHAPES_ATTR};
pub(crate) use shapes::called;
pub(crate) use stateful::calls_stateful_function;
pub use text::function_text;
pub use trace::FunctionTrace;
pub(crate) use waiting::calls_waiting_function;
pub(crate) use written::Library as WrittenLibrary;
