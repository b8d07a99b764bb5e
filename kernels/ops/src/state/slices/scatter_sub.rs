//! `ScatterSub` and `ResourceScatterSub`: subtract from rows of a variable.
//!
//! `updates` has the shape of `indices`, then that of a row; or it is a scalar, for all elements of the rows. A row
//! that is named several times is changed as often, in this order. An index that is no row is an error, and nothing is
//! changed then. Changes from several threads follow one after the other, whatever `use_locking` says.

use super::shapes;
use oplink::prelude::*;

/// Subtracts from rows of the variable behind a reference.
#[op("ScatterSub",
     input = "ref: Ref(T)",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::scatter)]
pub struct ScatterSub;

/// Subtracts from rows of a resource variable.
#[op("ResourceScatterSub",
     input = "resource: resource",
     input = "indices: Tindices",
     input = "updates: dtype",
     attr = "dtype: numbertype",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::scatter_resource)]
pub struct ResourceScatterSub;
