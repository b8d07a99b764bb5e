//! Shapes and dtypes, from messages and back.

use oplink_api::{DType, Error, PartialShape, Result, ensure};
use oplink_proto::{TensorShapeProto, tensor_shape_proto::Dim};

/// A shape, possibly of unknown rank or extents.
///
/// # Errors
/// An extent is below -1.
pub fn shape_from_proto(shape: &TensorShapeProto) -> Result<PartialShape> {
    ensure!(!shape.unknown_rank || shape.dim.is_empty(), "a shape of unknown rank has dimensions");
    if shape.unknown_rank {
        return Ok(PartialShape::unknown());
    }
    let dims: Vec<i64> = shape.dim.iter().map(|dim| dim.size).collect();
    PartialShape::from_i64(Some(&dims))
}

/// A dtype by number; reference types and numbers of no type are errors.
pub(super) fn dtype(number: i32) -> Result<DType> {
    DType::from_number(number).ok_or_else(|| Error::invalid_argument(format!("{number} is the number of no dtype")))
}

/// The message of a shape.
pub fn shape_to_proto(shape: &PartialShape) -> TensorShapeProto {
    let dims = shape.to_i64();
    let dim = |size: i64| Dim { size, name: String::new() };
    TensorShapeProto { unknown_rank: dims.is_none(), dim: dims.unwrap_or_default().into_iter().map(dim).collect() }
}
