//! `StridedSliceAssign` and `ResourceStridedSliceAssign`: other values in a strided region of a variable.
//!
//! The region is that of `StridedSlice` with the same `begin`, `end`, `strides` and masks; `value` broadcasts to its
//! shape, and may have any where the region has no elements. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Writes to a region of the variable behind a reference.
#[op("StridedSliceAssign",
     input = "ref: Ref(T)",
     input = "begin: Index",
     input = "end: Index",
     input = "strides: Index",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: type",
     attr = "Index: {int32, int64}",
     attr = "begin_mask: int = 0",
     attr = "end_mask: int = 0",
     attr = "ellipsis_mask: int = 0",
     attr = "new_axis_mask: int = 0",
     attr = "shrink_axis_mask: int = 0",
     shape = shapes::assign_region)]
pub struct StridedSliceAssign;

/// Writes to a region of a resource variable.
#[op("ResourceStridedSliceAssign",
     input = "ref: resource",
     input = "begin: Index",
     input = "end: Index",
     input = "strides: Index",
     input = "value: T",
     attr = "T: type",
     attr = "Index: {int32, int64}",
     attr = "begin_mask: int = 0",
     attr = "end_mask: int = 0",
     attr = "ellipsis_mask: int = 0",
     attr = "new_axis_mask: int = 0",
     attr = "shrink_axis_mask: int = 0",
     stateful,
     shape = shapes::assign_region)]
pub struct ResourceStridedSliceAssign;
