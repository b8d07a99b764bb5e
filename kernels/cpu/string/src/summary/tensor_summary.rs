//! `TensorSummary` and `TensorSummaryV2`: a tensor whole, with its dtype and shape.
//!
//! Version 2 has a tag and metadata, both scalars; the metadata is the bytes of a message, whose fields are written in
//! the order of their numbers. The first version bears the name of its node.

use crate::strings::scalar;
use oplink::prelude::*;
use oplink_cpu_support::summary::{METADATA, NODE_NAME, TAG, TENSOR, add_value};
use oplink_cpu_support::wire::{Message, fields, tensor_message};
use oplink_ops::string::{TensorSummary, TensorSummaryV2};

/// `TensorSummary` of every dtype. As in TensorFlow, the attrs that describe the tensor are not written.
#[kernel(TensorSummary, device = CPU, T = any)]
pub fn tensor_summary_cpu(tensor: &Tensor, env: Env<'_>) -> Result<TString> {
    let name = env.node().name.as_bytes();
    let value = Message::default().bytes_unless_empty(NODE_NAME, name).bytes(TENSOR, &tensor_message(tensor)?);
    let summary = add_value(Message::default(), value);
    Ok(TString::new(summary.into_bytes()))
}

/// `TensorSummaryV2` of every dtype.
#[kernel(TensorSummaryV2, device = CPU, T = any)]
pub fn tensor_summary_v2_cpu(tag: &Tensor, tensor: &Tensor, serialized_summary_metadata: &Tensor) -> Result<TString> {
    let (tag, metadata) = (scalar(tag, "tag")?, scalar(serialized_summary_metadata, "serialized_summary_metadata")?);
    let value = Message::default()
        .bytes_unless_empty(TAG, tag)
        .bytes(TENSOR, &tensor_message(tensor)?)
        .bytes(METADATA, &in_order(metadata)?);
    let summary = add_value(Message::default(), value);
    Ok(TString::new(summary.into_bytes()))
}

/// The fields of a message in the order of their numbers.
pub(super) fn in_order(message: &[u8]) -> Result<Vec<u8>> {
    let fields = fields(message);
    let mut fields = fields.map_err(|why| Error::invalid_argument(format!("the metadata is no message: {why}")))?;
    fields.sort_by_key(|field| field.number);
    Ok(fields.iter().flat_map(|field| field.bytes.iter().copied()).collect())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn bytes_are_those_of_tensorflow() {
        let expected = b"\x0a\x1b\x3a\x0dTensorSummary\x42\x0a\x08\x03\x12\0\x22\x04\x01\0\0\0";
        check("TensorSummary", [1i32.into()], TString::new(expected));
        let metadata = TString::new(b"\x1a\x01d\x0a\x03\x0a\x01p");
        let expected =
            b"\x0a\x1a\x0a\x01t\x42\x0b\x08\x07\x12\x04\x12\x02\x08\x01\x42\x01a\x4a\x08\x0a\x03\x0a\x01p\x1a\x01d";
        check("TensorSummaryV2", ["t".into(), [TString::from("a")].into(), metadata.into()], TString::new(expected));
        check_error("TensorSummaryV2", [[TString::from("t")].into(), 1.into(), "".into()], "tag must be a scalar");
        check_error("TensorSummaryV2", ["t".into(), 1.into(), "zzz".into()], "the metadata is no message");
    }
}
