//! `TensorArrayConcatV3`: all elements of a tensor array joined along their first axis.
//!
//! The elements, at least vectors, agree in all extents but the first, and these fit the attr `element_shape_except0`;
//! of an array without elements they must be fully known. `lengths` has the first extent of each. Each is read as
//! `TensorArrayReadV3` does. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// All elements one after the other, and how long each is.
#[op("TensorArrayConcatV3",
     input = "handle: resource",
     input = "flow_in: float",
     output = "value: dtype",
     output = "lengths: int64",
     attr = "dtype: type",
     attr = "element_shape_except0: shape = { unknown_rank: true }",
     stateful,
     shape = shapes::concat)]
pub struct TensorArrayConcatV3;
