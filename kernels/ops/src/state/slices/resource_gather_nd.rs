//! `ResourceGatherNd`: slices of a resource variable by the coordinates of their start.
//!
//! As `GatherNd` of the variable's value. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Picks slices of a variable.
#[op("ResourceGatherNd",
     input = "resource: resource",
     input = "indices: Tindices",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::gather_nd)]
pub struct ResourceGatherNd;
