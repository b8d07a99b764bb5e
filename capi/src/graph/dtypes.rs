//! Dtypes of inputs and outputs as C sees them: references have numbers of their own.

use oplink_abi::TF_DataType;
use oplink_api::NodeInfo;

/// Between the number of a dtype and that of a reference to it.
const REFERENCE: TF_DataType = 100;

/// The number of an output's dtype; 0 where there is no such output.
pub(crate) fn output_number(info: &NodeInfo, index: usize) -> TF_DataType {
    let reference = if info.is_ref_output(index) { REFERENCE } else { 0 };
    info.output_dtypes.get(index).map_or(0, |dtype| dtype.number() + reference)
}

/// The number of an input's dtype; 0 where there is no such input.
pub(crate) fn input_number(info: &NodeInfo, index: usize) -> TF_DataType {
    let reference = if info.is_ref_input(index) { REFERENCE } else { 0 };
    info.input_dtypes.get(index).map_or(0, |dtype| dtype.number() + reference)
}
