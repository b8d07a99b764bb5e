//! Shapes as the experimental parts of the API pass them.

use std::ffi::c_int;

use crate::TF_DataType;

/// A shape that may be partly unknown.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_Shape {
    /// The rank; -1 where it is unknown.
    pub num_dims: c_int,
    /// The dims; -1 for an unknown one.
    pub dim_sizes: *mut i64,
}

/// The shape and dtype of a tensor.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_ShapeAndType {
    /// The rank; -1 where it is unknown.
    pub num_dims: c_int,
    /// The dims; -1 for an unknown one.
    pub dims: *mut i64,
    /// The dtype's number; 0 where it is unknown.
    pub dtype: TF_DataType,
}

/// Shapes and dtypes of several tensors.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct TF_ShapeAndTypeList {
    /// How many there are.
    pub num_items: c_int,
    /// The elements.
    pub items: *mut TF_ShapeAndType,
}

const _: () = assert!(size_of::<TF_Shape>() == 16 && size_of::<TF_ShapeAndType>() == 24);
const _: () = assert!(size_of::<TF_ShapeAndTypeList>() == 16);
