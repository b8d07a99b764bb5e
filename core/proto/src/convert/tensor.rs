//! Shapes and constant tensors.

use super::{ConvertError, value_dtype};
use crate::tensorflow::{TensorProto, TensorShapeProto, tensor_shape_proto::Dim};
use oplink_spec::{ShapeValue, TensorValue};
use prost::bytes::Bytes;

/// The shape of a message; names of dimensions are dropped.
pub fn shape_to_spec(shape: &TensorShapeProto) -> ShapeValue {
    (!shape.unknown_rank).then(|| shape.dim.iter().map(|dim| dim.size).collect())
}

/// The message of a shape; `None` gives unknown rank.
pub fn shape_from_spec(shape: Option<&[i64]>) -> TensorShapeProto {
    let dim = |&size: &i64| Dim { size, name: String::new() };
    TensorShapeProto { dim: shape.unwrap_or_default().iter().map(dim).collect(), unknown_rank: shape.is_none() }
}

/// The constant of a message. An absent shape is that of a scalar, as TensorFlow reads it.
///
/// # Errors
/// A dtype that is none; values that are resources or variants.
pub fn tensor_to_spec(tensor: &TensorProto) -> Result<TensorValue, ConvertError> {
    if !tensor.resource_handle_val.is_empty() || !tensor.variant_val.is_empty() {
        return Err(ConvertError::new("a constant of resources or variants cannot be written in a declaration"));
    }
    let shape = tensor.tensor_shape.as_ref().map_or(Some(Vec::new()), shape_to_spec);
    Ok(TensorValue {
        version_number: tensor.version_number,
        content: tensor.tensor_content.to_vec(),
        half_val: tensor.half_val.clone(),
        float_val: tensor.float_val.clone(),
        double_val: tensor.double_val.clone(),
        int_val: tensor.int_val.clone(),
        string_val: tensor.string_val.iter().map(|bytes| bytes.to_vec()).collect(),
        scomplex_val: tensor.scomplex_val.clone(),
        int64_val: tensor.int64_val.clone(),
        bool_val: tensor.bool_val.clone(),
        dcomplex_val: tensor.dcomplex_val.clone(),
        uint32_val: tensor.uint32_val.clone(),
        uint64_val: tensor.uint64_val.clone(),
        float8_val: tensor.float8_val.to_vec(),
        ..TensorValue::new(value_dtype(tensor.dtype)?, shape)
    })
}

pub(super) fn tensor_from_spec(tensor: &TensorValue) -> TensorProto {
    TensorProto {
        dtype: tensor.dtype.number(),
        tensor_shape: Some(shape_from_spec(tensor.shape.as_deref())),
        version_number: tensor.version_number,
        tensor_content: tensor.content.clone().into(),
        half_val: tensor.half_val.clone(),
        float_val: tensor.float_val.clone(),
        double_val: tensor.double_val.clone(),
        int_val: tensor.int_val.clone(),
        string_val: tensor.string_val.iter().cloned().map(Bytes::from).collect(),
        scomplex_val: tensor.scomplex_val.clone(),
        int64_val: tensor.int64_val.clone(),
        bool_val: tensor.bool_val.clone(),
        dcomplex_val: tensor.dcomplex_val.clone(),
        resource_handle_val: Vec::new(),
        variant_val: Vec::new(),
        uint32_val: tensor.uint32_val.clone(),
        uint64_val: tensor.uint64_val.clone(),
        float8_val: tensor.float8_val.clone().into(),
    }
}
