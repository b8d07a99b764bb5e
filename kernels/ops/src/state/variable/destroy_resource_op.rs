//! `DestroyResourceOp`: ends the resource behind a handle.
//!
//! Where there is none, that is an error unless the attr `ignore_lookup_error` says otherwise. Whoever still works on
//! the resource keeps it until then; the handle stays good for a new resource of the name.

use oplink::prelude::*;

/// Ends a resource.
#[op("DestroyResourceOp",
     input = "resource: resource",
     attr = "ignore_lookup_error: bool = true",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct DestroyResourceOp;
