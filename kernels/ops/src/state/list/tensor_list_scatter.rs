//! `TensorListScatter`, `TensorListScatterV2`, `TensorListScatterIntoExistingList`: the rows of a tensor at positions
//! of a list.
//!
//! The first two make a list; it has `num_elements` elements, or as many as the largest position needs, of which those
//! that no row goes to are not set. The third replaces elements of a list, which it makes longer where a position is
//! beyond the end. The last of several rows for one position stays. The elements share the tensor's memory. Every
//! dtype.

use super::shapes;
use oplink::prelude::*;

/// A list of the rows of `tensor`, at `indices`.
#[op("TensorListScatter",
     input = "tensor: element_dtype",
     input = "indices: int32",
     input = "element_shape: shape_type",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::scatter)]
pub struct TensorListScatter;

/// A list of `num_elements` elements with the rows of `tensor` at `indices`.
#[op("TensorListScatterV2",
     input = "tensor: element_dtype",
     input = "indices: int32",
     input = "element_shape: shape_type",
     input = "num_elements: int32",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     attr = "shape_type: {int32, int64}",
     shape = shapes::scatter)]
pub struct TensorListScatterV2;

/// The list with the rows of `tensor` at `indices`.
#[op("TensorListScatterIntoExistingList",
     input = "input_handle: variant",
     input = "tensor: element_dtype",
     input = "indices: int32",
     output = "output_handle: variant",
     attr = "element_dtype: type",
     shape = shapes::scatter_into)]
pub struct TensorListScatterIntoExistingList;
