//! `ResourceGather`: rows of a resource variable by index.
//!
//! As `GatherV2` of the variable's value along the axis after the `batch_dims` that go side by side. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Picks rows of a variable.
#[op("ResourceGather",
     input = "resource: resource",
     input = "indices: Tindices",
     output = "output: dtype",
     attr = "batch_dims: int = 0",
     attr = "validate_indices: bool = true",
     attr = "dtype: type",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::gather)]
pub struct ResourceGather;
