//! `DecodeProtoV2`, `EncodeProto`: fields of protocol buffer messages as tensors, and tensors as such messages.
//!
//! `message_type` is the full name of a message, `field_names` are fields of it. `descriptor_source` tells where the
//! message is described: `local://` stands for the messages of TensorFlow's own files, `bytes://` is followed by an
//! encoded `FileDescriptorSet`, and everything else names a file with one. The dtype of a field's values is
//!
//! | fields | dtypes |
//! |---|---|
//! | `double` | double |
//! | `float` | float, double |
//! | `int32`, `sint32`, `sfixed32` | int32, int64 |
//! | `uint32`, `fixed32` | uint32, uint64 |
//! | `int64`, `sint64`, `sfixed64` | int64 |
//! | `uint64`, `fixed64` | uint64 |
//! | `bool` | bool |
//! | enums | int32 |
//! | `string`, `bytes`, messages and groups (encoded) | string |

use oplink::prelude::*;

/// Fields of messages: how many values each has, and the values.
///
/// `bytes` has messages, in any shape; `message_format` is `binary` or `text`. `sizes` has that shape and an axis for
/// the fields, each of `values` that shape and an axis for the most values that the field has in a message, at least 1.
/// The rest of that axis has the field's default value. A field that is not repeated takes its last value.
///
/// With `sanitize`, and of text, messages are read whole before fields are taken, and are errors where they are no
/// messages of the type. Without it only the fields of the message itself are looked at, and fields that are encoded
/// with a type that their declaration does not have are passed over. Names of extensions are full names.
#[op("DecodeProtoV2",
     no_gradient,
     input = "bytes: string",
     output = "sizes: int32",
     output = "values: output_types",
     attr = "message_type: string",
     attr = "field_names: list(string)",
     attr = "output_types: list(type) >= 0",
     attr = "descriptor_source: string = 'local://'",
     attr = "message_format: string = 'binary'",
     attr = "sanitize: bool = false",
     bytes(descriptor_source),
     shape = decoded)]
pub struct DecodeProtoV2;

fn decoded(c: &mut ShapeContext<'_>) -> Result<()> {
    let messages = c.input(0).clone();
    let fields = c.num_outputs() - 1;
    let shape = c.concatenate(&messages, &PartialShape::new(&[Some(fields)]));
    c.set_output(0, shape);
    for output in 1..=fields {
        let shape = c.concatenate(&messages, &PartialShape::new(&[None]));
        c.set_output(output, shape);
    }
    Ok(())
}

/// Messages of fields, encoded by number.
///
/// Each of `values` is at least a matrix; all have one shape but for the last axis, and `bytes` has it too. `sizes` has
/// that shape and an axis for the fields: how many of the values each field gets. Values that are encoded messages are
/// taken as they are.
#[op("EncodeProto",
     no_gradient,
     input = "sizes: int32",
     input = "values: Tinput_types",
     output = "bytes: string",
     attr = "field_names: list(string)",
     attr = "message_type: string",
     attr = "descriptor_source: string = 'local://'",
     attr = "Tinput_types: list(type) >= 1",
     bytes(descriptor_source),
     shape = encoded)]
pub struct EncodeProto;

fn encoded(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut output = PartialShape::unknown();
    for input in (1..c.num_inputs()).rev() {
        let values = c.with_rank_at_least(input, 2)?;
        output = c.merge(&c.subshape(&values, 0, Some(-1))?, &output)?;
    }
    c.set_output(0, output);
    Ok(())
}
