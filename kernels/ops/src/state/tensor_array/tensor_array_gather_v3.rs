//! `TensorArrayGatherV3`: some elements of a tensor array as the rows of a tensor.
//!
//! The elements have one shape, which fits the attr `element_shape`; without any index it must be fully known. Each is
//! read as `TensorArrayReadV3` does. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The elements at `indices` as rows.
#[op("TensorArrayGatherV3",
     input = "handle: resource",
     input = "indices: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     stateful,
     shape = shapes::gather)]
pub struct TensorArrayGatherV3;
