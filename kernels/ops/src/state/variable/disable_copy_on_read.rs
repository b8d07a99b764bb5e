//! `DisableCopyOnRead`: asks a variable to share its memory with its readers, which it does anyway.
//!
//! A variable that does not exist is `FailedPrecondition`.

use oplink::prelude::*;

/// Lets readers of a variable share its memory.
#[op("DisableCopyOnRead", input = "resource: resource", stateful, shape = shape_fns::no_outputs)]
pub struct DisableCopyOnRead;
