//! TensorFlow's SavedModel: a folder with graphs (`saved_model.pb`), the values of their variables (`variables/`) and
//! files that they read (`assets/`).
//!
//! - [`SavedModel`] loads one: variables are restored, assets are fed and initializers run, as TensorFlow's loaders do.
//!   [`Signature`] calls it by the names of its inputs and outputs, and freezes it into a graph without variables.
//! - [`MetaGraph`] is what the file says, for tools that look into a model without loading it, and for loaders with a
//!   session of their own.
//! - [`SavedModelBuilder`] writes one of a session's graph and variables; [`SavedModel::save`] writes a loaded one with
//!   the values that its variables have now.
//! - [`ModelFile`] recognises what a file or folder is.
//!
//! Invariant: ops are reached by their types in `oplink-ops`, kernels by running graphs only.
#![warn(clippy::missing_errors_doc)]
#![forbid(unsafe_code)]

mod checkpoint_path;
mod freeze;
mod initialize;
mod meta_graph;
mod model;
mod recognize;
mod restore_objects;
mod run;
mod save_again;
mod signature;
mod write;

pub use initialize::Initialization;
pub use meta_graph::MetaGraph;
pub use model::{LoadOptions, SavedModel};
pub use recognize::ModelFile;
pub use run::Signature;
pub use signature::{SignatureInfo, TensorInfo};
pub use write::{SavedModelBuilder, SignatureBuilder};

/// The file with the graphs.
const FILE: &str = "saved_model.pb";
/// The same in the text format.
const TEXT_FILE: &str = "saved_model.pbtxt";
/// The same in several messages, for models beyond 2 GiB.
const CHUNKED_FILE: &str = "saved_model.cpb";
/// The folder with files that graphs read.
const ASSETS: &str = "assets";
/// The tag of graphs that answer requests.
const SERVE: &str = "serve";
/// The signature that names the node to run when a model is loaded.
const INIT_OP: &str = "__saved_model_init_op";
