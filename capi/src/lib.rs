//! TensorFlow's C API on oplink: graphs, sessions and eager calls for programs in any language.
//!
//! Each module holds the exported functions of one part of the API and the ordinary ones behind them. What C sees as an
//! opaque type is a Rust type here, boxed or reference-counted, and cast at the doors:
//!
//! | C | Rust | owned by |
//! |---|---|---|
//! | `TF_Graph` | `graph::GraphState`, counted | the client and the sessions on it |
//! | `TF_Operation` | `graph::Operation` | its graph, at one place for the graph's life |
//! | `TF_OperationDescription` | `description::Description` | the client until it is finished |
//! | `TF_Session` | `session::ClientSession` | the client |
//! | `TFE_Context` | `eager::Context` | the client |
//! | `TFE_TensorHandle` | `eager::Handle`, counted | the client and the calls that it is an input of |
//! | `TFE_Op`, `TFE_OpAttrs` | `eager::EagerOp` | the client |
//! | `TFE_Executor` | `oplink_graph::eager::EagerExecutor`, counted | the client, contexts and calls |
//! | `TFE_CancellationManager` | `oplink_graph::eager::CancellationManager` | the client |
//!
//! Contract of all exported functions: a handle that is not null came from this library and is alive; an array that is
//! not null has the length that is passed along; a status is used by one thread at a time. Everything else is checked.
#![warn(clippy::missing_errors_doc)]
#![deny(unsafe_code)]

pub use oplink_host as host;

pub mod attrs;
pub mod description;
mod devices;
pub mod eager;
pub mod experimental;
pub mod functions;
pub mod gradients;
pub mod graph;
pub mod import;
pub mod listing;
mod messages;
pub mod monitoring;
pub mod session;
pub mod set_attrs;
mod support;
pub mod unified;
pub mod while_loop;

// The built-in kernels and devices are part of the library.
use oplink as _;
