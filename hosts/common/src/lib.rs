//! What every framework that hosts annotated ops shares.
//!
//! A crate's ops are a [`HostedPlugin`]. A host asks its [`OpTable`] for a kernel, prepared from an op, attrs and the
//! dtypes of inputs, and runs it on memory of its own: inputs are views ([`borrowed`]), outputs are allocated by the
//! host ([`OutputMemory`]). [`query`] answers what bindings in Python ask while a program is traced: declarations,
//! output shapes, gradients. An op with a gradient function has a second op beside it that computes its gradients
//! (`gradient`).
//!
//! With the feature `gpu`, [`cuda`] runs kernels for GPUs on the host's streams. Nothing here knows a host.
#![warn(clippy::missing_errors_doc)]
#![deny(unsafe_code)]

mod attrs;
mod call;
#[cfg(feature = "gpu")]
pub mod cuda;
mod gradient;
mod guard;
mod memory;
mod positions;
mod prepare;
pub mod query;
mod run;
mod signature;
mod table;

pub use attrs::attr_of_text;
pub use call::{NodeCalls, Tensors, call};
pub use guard::{guarded, silent};
pub use memory::{OutputAddress, alignment, borrowed, end, is_aligned, output};
pub use prepare::{CallKey, PreparedKernel};
pub use run::OutputMemory;
pub use signature::{CallFrame, Words};
pub use table::{HostedOp, HostedPlugin, OpTable, most_ops};
