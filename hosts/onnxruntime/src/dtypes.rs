//! Dtypes that ONNX Runtime has too: a flat table.

use std::ffi::c_int;

use oplink_abi::onnxruntime::dtype;
use oplink_api::{DType, Error, Result};

const DTYPES: &[(DType, c_int)] = &[
    (DType::Float, dtype::FLOAT),
    (DType::Double, dtype::DOUBLE),
    (DType::Half, dtype::FLOAT16),
    (DType::BFloat16, dtype::BFLOAT16),
    (DType::Int8, dtype::INT8),
    (DType::Int16, dtype::INT16),
    (DType::Int32, dtype::INT32),
    (DType::Int64, dtype::INT64),
    (DType::UInt8, dtype::UINT8),
    (DType::UInt16, dtype::UINT16),
    (DType::UInt32, dtype::UINT32),
    (DType::UInt64, dtype::UINT64),
    (DType::Bool, dtype::BOOL),
    (DType::String, dtype::STRING),
    (DType::Float8E4M3FN, dtype::FLOAT8E4M3FN),
    (DType::Float8E4M3FNUZ, dtype::FLOAT8E4M3FNUZ),
    (DType::Float8E5M2, dtype::FLOAT8E5M2),
    (DType::Float8E5M2FNUZ, dtype::FLOAT8E5M2FNUZ),
];

/// The dtypes.
pub(crate) fn all() -> impl Iterator<Item = DType> {
    DTYPES.iter().map(|(dtype, _)| *dtype)
}

/// The dtype of a number.
pub(crate) fn from_ort(number: c_int) -> Result<DType> {
    let found = DTYPES.iter().find(|(_, known)| *known == number).map(|(dtype, _)| *dtype);
    found.ok_or_else(|| Error::unimplemented(format!("tensors of ONNX's dtype number {number} are not taken here")))
}

/// The number of a dtype.
pub(crate) fn to_ort(dtype: DType) -> Option<c_int> {
    DTYPES.iter().find(|(known, _)| *known == dtype).map(|(_, number)| *number)
}
