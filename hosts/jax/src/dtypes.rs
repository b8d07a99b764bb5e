//! Dtypes that XLA has too: a flat table.

use std::ffi::c_int;

use oplink_abi::xla_ffi::dtype;
use oplink_api::{DType, Error, Result};

const DTYPES: &[(DType, c_int)] = &[
    (DType::Float, dtype::F32),
    (DType::Double, dtype::F64),
    (DType::Half, dtype::F16),
    (DType::BFloat16, dtype::BF16),
    (DType::Int8, dtype::S8),
    (DType::Int16, dtype::S16),
    (DType::Int32, dtype::S32),
    (DType::Int64, dtype::S64),
    (DType::UInt8, dtype::U8),
    (DType::UInt16, dtype::U16),
    (DType::UInt32, dtype::U32),
    (DType::UInt64, dtype::U64),
    (DType::Bool, dtype::PRED),
    (DType::Complex64, dtype::C64),
    (DType::Complex128, dtype::C128),
    (DType::Float8E5M2, dtype::F8E5M2),
    (DType::Float8E4M3FN, dtype::F8E4M3FN),
    (DType::Float8E4M3B11FNUZ, dtype::F8E4M3B11FNUZ),
    (DType::Float8E5M2FNUZ, dtype::F8E5M2FNUZ),
    (DType::Float8E4M3FNUZ, dtype::F8E4M3FNUZ),
];

/// Whether a number is that of a dtype.
#[inline]
pub(crate) fn is_xla(number: c_int, dtype: DType) -> bool {
    DTYPES.iter().any(|(known, its)| *its == number && *known == dtype)
}

/// The dtype of a number.
pub(crate) fn from_xla(number: c_int) -> Result<DType> {
    let found = DTYPES.iter().find(|(_, known)| *known == number);
    found
        .map(|(dtype, _)| *dtype)
        .ok_or_else(|| Error::unimplemented(format!("buffers of XLA's dtype number {number} are not taken here")))
}
