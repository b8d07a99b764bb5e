//! `ScatterNdAdd` and `ResourceScatterNdAdd`: add to slices of a variable at coordinates.
//!
//! The last axis of `indices` holds coordinates along the leading axes of the variable, and `updates` has the shape
//! `indices[:-1] + variable[indices.shape[-1]:]`. Slices of equal coordinates add up. Coordinates outside are an error,
//! and nothing is changed then; with the attr `bad_indices_policy` `IGNORE` their slices are left out.

use super::shapes;
use oplink::prelude::*;

/// Adds to slices of the variable behind a reference.
#[op("ScatterNdAdd",
     input = "ref: Ref(T)",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "bad_indices_policy: string = ''",
     shape = shapes::scatter_nd)]
pub struct ScatterNdAdd;

/// Adds to slices of a resource variable.
#[op("ResourceScatterNdAdd",
     input = "ref: resource",
     input = "indices: Tindices",
     input = "updates: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = true",
     attr = "bad_indices_policy: string = ''",
     stateful,
     shape = shapes::scatter_nd_resource)]
pub struct ResourceScatterNdAdd;
