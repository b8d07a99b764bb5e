//! Graphs: building, importing, exporting and running them.
//!
//! - [`Graph`] holds nodes that are checked against their ops as they are added, with dtypes and shapes inferred at
//!   once. [`GraphScope`] adds them by typed op functions; [`Graph::import`], [`Graph::from_bytes`] and
//!   `Graph::from_text` read a GraphDef; [`Graph::to_def`] and its siblings write one.
//! - [`Session`] runs parts of a graph on a device. What a set of feeds, fetches and targets needs is worked out once:
//!   the nodes in order, their kernels, and the last reader of each value. A run follows that plan; a value whose last
//!   reader has run gives its memory back, or hands it to that reader's output.
//!
//! Invariant: no kernel and no device is known here by name. The ops that the runtime itself knows (constants,
//! placeholders, control flow, ops that compute shapes from shapes, those that passes rewrite) are in `known_ops`.
//! Modules are layers that look down only; their table stands in `xtask/src/tidy/layers/mod.rs`.
#![forbid(unsafe_code)]

mod attr_hash;
mod build;
mod convert;
#[cfg(feature = "dataflow")]
mod dataflow;
#[cfg(feature = "eager")]
pub mod eager;
mod executor;
mod export;
mod function_runtime;
mod functions;
mod gradients;
mod graph;
mod import;
mod infer;
mod kernels;
mod known_ops;
mod library;
mod load;
mod names;
#[cfg(any(test, not(feature = "dataflow")))]
#[path = "dataflow/absent.rs"]
mod no_dataflow;
mod passes;
mod placement;
mod sequential;
mod session;
mod signature;
mod transfer;
mod while_loop;

#[cfg(not(feature = "dataflow"))]
use no_dataflow as dataflow;

pub use build::{GraphScope, NewNode};
pub use convert::{
    attr_from_proto, attr_to_proto, shape_from_proto, shape_to_proto, tensor_from_proto, tensor_to_proto,
};
#[cfg(feature = "eager")]
pub use eager::ContextFunctions;
pub use functions::{BodyNodes, FunctionGraph, FunctionOptions, FunctionTrace, function_text};
pub use gradients::{GradientKind, gradient_kind, gradients_of_op};
pub use graph::{GRAPH_DEF_VERSION, Graph, Node};
pub use import::{ImportOptions, InputMapping, MergeOptions, Merged};
pub use names::{TensorName, is_valid_node_name};
pub use passes::{Optimized, PASSES, Pass, PassOptions};
pub use session::{
    Callable, FeedShapes, NodeStats, OutputStats, RunMetadata, RunOptions, Session, SessionOptions, TraceLevel,
};
pub use while_loop::WhileLoop;
