//! Facts of dtypes.
#![allow(unsafe_code, reason = "room: the C ABI")]

use oplink_abi::TF_DataType;
use oplink_api::DType;

/// Bytes of an element; 0 for elements without a fixed size, and for a number that is no dtype.
#[unsafe(no_mangle)]
pub extern "C" fn TF_DataTypeSize(number: TF_DataType) -> usize {
    DType::from_number(number).and_then(DType::size).unwrap_or(0)
}
