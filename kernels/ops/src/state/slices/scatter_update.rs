//! `ScatterUpdate` and `ResourceScatterUpdate`: replace rows of a variable.
//!
//! `updates` has the shape of `indices`, then that of a row; or it is a scalar, for all elements of the rows. A row
//! that is named several times is changed as often, in this order. An index that is no row is an error, and nothing is
//! changed then. Changes from several threads follow one after the other, whatever `use_locking` says.

use super::shapes;
use oplink::prelude::*;

/// Replaces rows of the variable behind a reference.
#[op("ScatterUpdate",
     input = "ref: Ref(T)",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output_ref: Ref(T)",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = true",
     shape = shapes::scatter)]
pub struct ScatterUpdate;

/// Replaces rows of a resource variable.
#[op("ResourceScatterUpdate",
     input = "resource: resource",
     input = "indices: Tindices",
     input = "updates: dtype",
     attr = "dtype: type",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::scatter_resource)]
pub struct ResourceScatterUpdate;
