//! Graphs: building, importing, exporting and running them.
//!
//! - [`Graph`] holds nodes that are checked against their ops as they are added, with dtypes and shapes inferred at once.
//!   [`GraphScope`] adds them by typed op functions; [`Graph::import`], [`Graph::from_bytes`] and `Graph::from_text` read
//!   a GraphDef; [`Graph::to_def`] and its siblings write one.
//! - [`Session`] runs parts of a graph on a device. What a set of feeds, fetches and targets needs is worked out once:
//!   the nodes in order, their kernels, and the last reader of each value. A run follows that plan; a value whose last
//!   reader has run gives its memory back, or hands it to that reader's output.
//!
//! Invariant: no kernel and no device is known here by name. The few ops whose meaning belongs to the format itself
//! (constants, placeholders, ops that hand their input on, and those that compute shapes from shapes) are tables in
//! `known_ops` and `infer`.
#![forbid(unsafe_code)]

mod convert;
#[cfg(feature = "dataflow")]
mod dataflow;
#[cfg(feature = "eager")]
pub mod eager;
mod executor;
mod export;
mod functions;
mod gradients;
mod graph;
mod import;
mod infer;
mod known_ops;
mod moves;
mod names;
#[cfg(any(test, not(feature = "dataflow")))]
#[path = "dataflow/absent.rs"]
mod no_dataflow;
mod passes;
mod placement;
mod plan;
mod scope;
mod session;

#[cfg(not(feature = "dataflow"))]
use no_dataflow as dataflow;

pub use convert::{
    attr_from_proto, attr_to_proto, shape_from_proto, shape_to_proto, tensor_from_proto, tensor_to_proto,
};
#[cfg(feature = "eager")]
pub use functions::ContextFunctions;
pub use functions::{FunctionGraph, FunctionOptions};
pub use graph::{GRAPH_DEF_VERSION, Graph, NewNode, Node, WhileLoop};
pub use import::{ImportOptions, InputMapping, MergeOptions, Merged};
pub use names::{TensorName, is_valid_node_name};
pub use passes::{Optimized, PASSES, Pass, PassOptions};
pub use scope::GraphScope;
pub use session::{
    Callable, FeedShapes, NodeStats, OutputStats, RunMetadata, RunOptions, Session, SessionOptions, TraceLevel,
};
