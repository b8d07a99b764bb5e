//! `TensorSummary` and `TensorSummaryV2`: a tensor whole, with its dtype and shape.
//!
//! Version 2 has a tag and metadata, both scalars; the metadata is the bytes of a message, whose fields are written in the order of
//! their numbers. The first version bears the name of its node.

use oplink::prelude::*;

use super::{METADATA, NODE_NAME, TAG, TENSOR, add_value};
use crate::string::strings::scalar;
use crate::string::wire::{Message, fields, tensor_message};

/// A summary of a tensor.
#[op("TensorSummary",
     input = "tensor: T",
     output = "summary: string",
     attr = "T: type",
     attr = "description: string = ''",
     attr = "labels: list(string) = []",
     attr = "display_name: string = ''",
     shape = shape_fns::scalar)]
pub struct TensorSummary;

/// A summary of a tensor with a tag and metadata.
#[op("TensorSummaryV2",
     input = "tag: string",
     input = "tensor: T",
     input = "serialized_summary_metadata: string",
     output = "summary: string",
     attr = "T: type",
     shape = shape_fns::scalar)]
pub struct TensorSummaryV2;

/// `TensorSummary` of every dtype. As in TensorFlow, the attrs that describe the tensor are not written.
#[kernel(TensorSummary, device = CPU, T = any)]
pub fn tensor_summary_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let name = context.node().name.as_bytes();
    let value =
        Message::default().bytes_unless_empty(NODE_NAME, name).bytes(TENSOR, &tensor_message(context.input(0))?);
    let summary = add_value(Message::default(), value);
    context.set_scalar(0, TString::new(summary.into_bytes()));
    Ok(())
}

/// `TensorSummaryV2` of every dtype.
#[kernel(TensorSummaryV2, device = CPU, T = any)]
pub fn tensor_summary_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (tag, metadata) = (scalar(context, 0, "tag")?, scalar(context, 2, "serialized_summary_metadata")?);
    let value = Message::default()
        .bytes_unless_empty(TAG, tag)
        .bytes(TENSOR, &tensor_message(context.input(1))?)
        .bytes(METADATA, &in_order(metadata)?);
    let summary = add_value(Message::default(), value);
    context.set_scalar(0, TString::new(summary.into_bytes()));
    Ok(())
}

/// The fields of a message in the order of their numbers.
fn in_order(message: &[u8]) -> Result<Vec<u8>> {
    let fields = fields(message);
    let mut fields = fields.map_err(|why| Error::invalid_argument(format!("the metadata is no message: {why}")))?;
    fields.sort_by_key(|field| field.number);
    Ok(fields.iter().flat_map(|field| field.bytes.iter().copied()).collect())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check, check_error};

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
