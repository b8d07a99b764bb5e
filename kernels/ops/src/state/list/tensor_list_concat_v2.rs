//! `TensorListConcatV2` and `TensorListConcat`: the elements of a list joined along their first axis.
//!
//! The elements, at least vectors, agree in all extents but the first. `lengths` has the first extent of each. One that
//! was never set counts as zeros, as long as `leading_dims` says at its position, or else as the element shape does, or
//! else as all the elements that are set, where these agree. Version 1 knows no leading extents. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The elements one after the other, and how long each is.
#[op("TensorListConcatV2",
     input = "input_handle: variant",
     input = "element_shape: shape_type",
     input = "leading_dims: int64",
     output = "tensor: element_dtype",
     output = "lengths: int64",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::concat)]
pub struct TensorListConcatV2;

/// The elements one after the other, and how long each is, of a shape that an attr tells.
#[op("TensorListConcat",
     input = "input_handle: variant",
     output = "tensor: element_dtype",
     output = "lengths: int64",
     attr = "element_dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     shape = shapes::concat_by_attr)]
pub struct TensorListConcat;
