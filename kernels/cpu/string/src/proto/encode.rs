//! `EncodeProto`: tensors as fields of messages.

use oplink::memory::{try_reserve, try_vec};
use oplink::prelude::*;
use oplink_ops::string::{EncodeProto, EncodeProtoInputs, EncodeProtoOutputs};

use super::fields::{self, Encoding, Field};
use super::values::Elements;
use super::wire::{WireType, push_tag, push_varint};

/// `EncodeProto`, with the description of its message.
pub struct EncodeProtoCpu {
    fields: Vec<Field>,
    /// The positions of the fields by their numbers.
    order: Vec<usize>,
}

#[kernel(EncodeProto, device = CPU)]
impl Kernel for EncodeProtoCpu {
    type Op = EncodeProto;

    fn new(construction: Construction<'_, EncodeProto>) -> Result<Self> {
        let attrs = &construction.attrs;
        let message = fields::message(attrs.descriptor_source, attrs.message_type)?;
        let fields = fields::fields(&message, attrs.field_names, false)?;
        let mut order: Vec<usize> = (0..fields.len()).collect();
        order.sort_by_key(|&at| fields[at].number);
        Ok(Self { fields, order })
    }

    fn compute(&self, inputs: EncodeProtoInputs<'_>, outputs: &mut EncodeProtoOutputs<'_>, env: Env<'_>) -> Result<()> {
        let (sizes, values) = (inputs.sizes.into_ref(), inputs.values.into_ref());
        let count = self.fields.len();
        ensure!(values.len() == count, "{count} field_names have {} values", values.len());
        let mut prefix: Option<&[usize]> = None;
        for (field, value) in self.fields.iter().zip(values) {
            field.check(value.dtype())?;
            let (shape, name) = (value.shape(), &field.name);
            let Some((_, own)) = shape.dims().split_last().filter(|(_, own)| !own.is_empty()) else {
                bail!("values of the field `{name}` must be a matrix at least, their shape is {shape}")
            };
            let first = *prefix.get_or_insert(own);
            ensure!(first == own, "values of `{name}` of shape {shape} do not fit those of the first field, {first:?}");
        }
        let shape: Shape = prefix.unwrap_or_default().iter().copied().collect();
        let expected: Shape = shape.iter().copied().chain([count]).collect();
        ensure!(*sizes.shape() == expected, "sizes must have the shape {expected}, they have {}", sizes.shape());
        let sizes = sizes.as_slice::<i32>()?;
        let messages = shape.num_elements();
        let extents = values.iter().map(|value| value.shape().dims().last().copied().unwrap_or(0));
        let extents: Vec<usize> = extents.collect();
        for (at, &size) in env.watch(sizes).enumerate() {
            let (field, message) = (at % count.max(1), at / count.max(1));
            let most = extents[field];
            ensure!(
                usize::try_from(size).unwrap_or(0) <= most,
                "message {message} has a size of {size} for the field `{}`, which has {most} values only",
                self.fields[field].name
            );
        }
        let elements = values.iter().map(Elements::new).collect::<Result<Vec<_>>>()?;
        let mut encoded = try_vec(messages)?;
        for message in 0..messages {
            env.poll();
            let mut out = Vec::new();
            for &at in &self.order {
                let size = sizes[message * count + at];
                if size != 0 {
                    let first = message * extents[at];
                    let given = first..first + usize::try_from(size).unwrap_or(0);
                    push_field(&mut out, &self.fields[at], &elements[at], given, env)?;
                }
            }
            encoded.push(TString::new(out));
        }
        outputs.bytes.set(Tensor::from_vec(shape, encoded)?);
        Ok(())
    }
}

/// Appends a field with some elements as its values.
fn push_field(
    out: &mut Vec<u8>,
    field: &Field,
    elements: &Elements<'_>,
    given: std::ops::Range<usize>,
    env: Env<'_>,
) -> Result<()> {
    let (number, encoding) = (field.number, field.encoding);
    if field.is_packed && !matches!(encoding, Encoding::Bytes | Encoding::Group) {
        let mut values = Vec::new();
        for at in env.watch(given) {
            elements.get(at).push(&mut values, encoding)?;
        }
        try_reserve(out, values.len().saturating_add(size_of::<u128>()))?;
        push_tag(out, number, WireType::Delimited);
        push_varint(out, values.len() as u64);
        out.extend(values);
        return Ok(());
    }
    for at in env.watch(given) {
        try_reserve(out, size_of::<u64>())?;
        push_tag(out, number, encoding.wire_type());
        elements.get(at).push(out, encoding)?;
        if encoding == Encoding::Group {
            push_tag(out, number, WireType::EndGroup);
        }
    }
    Ok(())
}
