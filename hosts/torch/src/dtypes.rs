//! Dtypes that PyTorch has too: a flat table.

use oplink_abi::torch::dtype;
use oplink_api::{DType, Error, Result};

/// A dtype, its number, and its name in schemas.
const DTYPES: &[(DType, i32, &str)] = &[
    (DType::Float, dtype::FLOAT32, "float32"),
    (DType::Double, dtype::FLOAT64, "float64"),
    (DType::Half, dtype::FLOAT16, "float16"),
    (DType::BFloat16, dtype::BFLOAT16, "bfloat16"),
    (DType::Int8, dtype::INT8, "int8"),
    (DType::Int16, dtype::INT16, "int16"),
    (DType::Int32, dtype::INT32, "int32"),
    (DType::Int64, dtype::INT64, "int64"),
    (DType::UInt8, dtype::UINT8, "uint8"),
    (DType::UInt16, dtype::UINT16, "uint16"),
    (DType::UInt32, dtype::UINT32, "uint32"),
    (DType::UInt64, dtype::UINT64, "uint64"),
    (DType::Bool, dtype::BOOL, "bool"),
    (DType::Complex64, dtype::COMPLEX64, "complex64"),
    (DType::Complex128, dtype::COMPLEX128, "complex128"),
    (DType::Float8E5M2, dtype::FLOAT8_E5M2, "float8_e5m2"),
    (DType::Float8E4M3FN, dtype::FLOAT8_E4M3FN, "float8_e4m3fn"),
    (DType::Float8E5M2FNUZ, dtype::FLOAT8_E5M2FNUZ, "float8_e5m2fnuz"),
    (DType::Float8E4M3FNUZ, dtype::FLOAT8_E4M3FNUZ, "float8_e4m3fnuz"),
];

/// The dtype of a number.
pub(crate) fn from_torch(number: i32) -> Result<DType> {
    let found = DTYPES.iter().find(|(_, known, _)| *known == number);
    found
        .map(|(dtype, ..)| *dtype)
        .ok_or_else(|| Error::unimplemented(format!("tensors of PyTorch's dtype number {number} are not taken here")))
}

/// The number of a dtype.
pub(crate) fn to_torch(dtype: DType) -> Result<i32> {
    let found = DTYPES.iter().find(|(known, ..)| *known == dtype);
    found
        .map(|(_, number, _)| *number)
        .ok_or_else(|| Error::unimplemented(format!("PyTorch has no tensors of {dtype}")))
}

/// PyTorch's name of a dtype.
pub(crate) fn name(dtype: DType) -> Option<&'static str> {
    DTYPES.iter().find(|(known, ..)| *known == dtype).map(|(.., name)| *name)
}
