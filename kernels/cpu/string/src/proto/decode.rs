//! `DecodeProtoV2`: fields of messages as tensors.

use std::borrow::Cow;
use std::collections::HashMap;

use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_ops::string::{DecodeProtoV2, DecodeProtoV2Inputs, DecodeProtoV2Outputs};
use oplink_proto::Message as _;
use oplink_proto::prost_reflect::{Cardinality, DynamicMessage, MessageDescriptor, ReflectMessage as _, Value};

use super::fields::{self, Encoding, Field};
use super::values::{Scalar, write};
use super::wire::{Reader, WireType};

/// `DecodeProtoV2`, with the description of its message.
pub struct DecodeProtoV2Cpu {
    message: MessageDescriptor,
    fields: Vec<Field>,
    /// The position of the field of each number. Of a field that is there twice the first one counts.
    positions: HashMap<u32, usize>,
    is_text: bool,
    sanitize: bool,
}

#[kernel(DecodeProtoV2, device = CPU)]
impl Kernel for DecodeProtoV2Cpu {
    type Op = DecodeProtoV2;

    fn new(construction: Construction<'_, DecodeProtoV2>) -> Result<Self> {
        let attrs = &construction.attrs;
        let message = fields::message(attrs.descriptor_source, attrs.message_type)?;
        let (names, dtypes) = (attrs.field_names, attrs.output_types);
        ensure!(names.len() == dtypes.len(), "{} field_names have {} output_types", names.len(), dtypes.len());
        let fields = fields::fields(&message, names, true)?;
        fields.iter().zip(dtypes).try_for_each(|(field, &dtype)| field.check(dtype))?;
        let positions = fields.iter().enumerate().rev().map(|(at, field)| (field.number, at)).collect();
        let is_text = match attrs.message_format {
            "binary" => false,
            "text" => true,
            other => bail!("message_format must be `binary` or `text`, it is `{other}`"),
        };
        Ok(Self { message, fields, positions, is_text, sanitize: attrs.sanitize })
    }

    fn compute(
        &self,
        inputs: DecodeProtoV2Inputs<'_>,
        outputs: &mut DecodeProtoV2Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let given = inputs.bytes.into_ref();
        let (shape, count) = (given.shape(), self.fields.len());
        let messages = given.as_slice::<TString>()?;
        ensure!(!messages.is_empty(), "bytes must have a message, its shape is {shape}");
        let messages = messages.iter().map(|bytes| self.sanitized(bytes.as_bytes(), env));
        let messages = messages.collect::<Result<Vec<_>>>()?;
        let sizes = outputs.sizes.allocate(shape.iter().copied().chain([count]).collect::<Shape>())?;
        let sizes = sizes.as_mut_slice::<i32>()?;
        let mut extents = try_filled(1usize, count)?;
        for (at, message) in messages.iter().enumerate() {
            let counts = self.count(message, env)?;
            for (field, &size) in counts.iter().enumerate() {
                extents[field] = extents[field].max(size);
                let fitting = i32::try_from(size);
                sizes[at * count + field] =
                    fitting.map_err(|_| Error::invalid_argument("a field has more than 2^31 - 1 values"))?;
            }
        }
        let mut tensors = Vec::new();
        for (at, &extent) in extents.iter().enumerate() {
            let shape: Shape = shape.iter().copied().chain([extent]).collect();
            let dtype = outputs.values.get(at).map_or(DType::String, |slot| slot.dtype());
            tensors.push(env.allocate(dtype, shape)?);
        }
        for (at, message) in messages.iter().enumerate() {
            self.fill(message, at, &extents, &mut tensors, env)?;
        }
        for (at, tensor) in tensors.into_iter().enumerate() {
            outputs.values.set(at, tensor);
        }
        Ok(())
    }
}

/// What a message has of a field.
enum Part<'r, 'a> {
    /// A value, which comes next; and the message from the field's tag on.
    Single(&'r mut Reader<'a>, &'a [u8]),
    /// Values one behind the other.
    Packed(&'a [u8]),
}

impl DecodeProtoV2Cpu {
    /// A message in the binary format, read and written anew where that is asked for.
    fn sanitized<'a>(&self, bytes: &'a [u8], env: Env<'_>) -> Result<Cow<'a, [u8]>> {
        env.poll();
        if !self.is_text && !self.sanitize {
            return Ok(Cow::Borrowed(bytes));
        }
        let message = if self.is_text {
            let text =
                std::str::from_utf8(bytes).map_err(|error| data_loss(format!("the text is no UTF-8: {error}")))?;
            oplink_proto::dynamic_from_text(self.message.clone(), text).map_err(|error| data_loss(error.to_string()))?
        } else {
            let decoded = DynamicMessage::decode(self.message.clone(), bytes);
            decoded.map_err(|error| data_loss(format!("it is no `{}`: {error}", self.message.full_name())))?
        };
        if let Some(missing) = missing_field(&message) {
            return Err(data_loss(format!("the field `{missing}` is required, it is not there")));
        }
        Ok(Cow::Owned(message.encode_to_vec()))
    }

    /// Calls `visit` with each field of a message that is asked for.
    fn walk<'a>(
        &self,
        message: &'a [u8],
        env: Env<'_>,
        mut visit: impl FnMut(usize, Part<'_, 'a>) -> Result<()>,
    ) -> Result<()> {
        let mut reader = Reader(message);
        while !reader.0.is_empty() {
            env.poll();
            let from = reader.0;
            let (number, wire_type) = reader.tag().ok_or_else(|| damaged("a tag"))?;
            let position = self.positions.get(&number).copied();
            let expected = position.map(|at| self.fields[at].encoding.wire_type());
            match position {
                Some(at) if wire_type == WireType::Delimited && expected != Some(WireType::Delimited) => {
                    let packed = reader.delimited().ok_or_else(|| damaged("a packed field"))?;
                    visit(at, Part::Packed(packed))?;
                }
                Some(at) if expected == Some(wire_type) => visit(at, Part::Single(&mut reader, from))?,
                _ => reader.skip((number, wire_type)).ok_or_else(|| damaged("a field"))?,
            }
        }
        Ok(())
    }

    /// How many values each field has.
    fn count(&self, message: &[u8], env: Env<'_>) -> Result<Vec<usize>> {
        let mut counts = try_filled(0usize, self.fields.len())?;
        self.walk(message, env, |at, part| {
            let (field, count) = (&self.fields[at], &mut counts[at]);
            *count += match part {
                Part::Single(reader, from) => single(reader, from, field).map(|_| 1)?,
                Part::Packed(bytes) => packed(bytes, field, |_| Ok(()), env)?,
            };
            if !field.is_repeated {
                *count = (*count).min(1);
            }
            Ok(())
        })?;
        Ok(counts)
    }

    /// Writes a message's values, and defaults where there are fewer than of other messages.
    fn fill(
        &self,
        message: &[u8],
        number: usize,
        extents: &[usize],
        tensors: &mut [Tensor],
        env: Env<'_>,
    ) -> Result<()> {
        let mut ends = try_filled(0usize, self.fields.len())?;
        self.walk(message, env, |at, part| {
            let (field, tensor, end) = (&self.fields[at], &mut tensors[at], &mut ends[at]);
            let first = number * extents[at];
            match part {
                Part::Single(reader, from) => {
                    let place = if field.is_repeated { *end } else { 0 };
                    *end = place + 1;
                    write(tensor, first + place, single(reader, from, field)?)
                }
                Part::Packed(_) if *end >= extents[at] => {
                    Err(data_loss(format!("packed values of the field `{}` follow all that it may have", field.name)))
                }
                Part::Packed(_) if matches!(field.encoding, Encoding::Bytes | Encoding::Group) => {
                    Err(unpackable(field))
                }
                Part::Packed(bytes) => {
                    let mut place = *end;
                    packed(
                        bytes,
                        field,
                        |value| {
                            write(tensor, first + place, value)?;
                            place += usize::from(field.is_repeated);
                            Ok(())
                        },
                        env,
                    )?;
                    // As in TensorFlow, packed values of a field that is not repeated give way to the default.
                    *end = place;
                    Ok(())
                }
            }
        })?;
        for (at, field) in self.fields.iter().enumerate() {
            for place in env.watch(ends[at]..extents[at]) {
                write(&mut tensors[at], number * extents[at] + place, Scalar::of_default(&field.default))?;
            }
        }
        Ok(())
    }
}

/// The next value of a field.
fn single<'a>(reader: &mut Reader<'a>, from: &'a [u8], field: &Field) -> Result<Scalar<'a>> {
    let value = match field.encoding {
        Encoding::Bytes => reader.delimited().map(Scalar::Bytes),
        Encoding::Group => {
            let skipped = reader.skip((field.number, WireType::StartGroup));
            skipped.map(|()| Scalar::Bytes(&from[..from.len() - reader.0.len()]))
        }
        encoding => Scalar::read(reader, encoding),
    };
    value.ok_or_else(|| damaged(&format!("the field `{}`", field.name)))
}

/// Calls `take` with each of packed values; how many there are.
fn packed<'a>(
    bytes: &'a [u8],
    field: &Field,
    mut take: impl FnMut(Scalar<'a>) -> Result<()>,
    env: Env<'_>,
) -> Result<usize> {
    let (mut reader, mut count) = (Reader(bytes), 0);
    for _ in env.watch(0u64..) {
        if reader.0.is_empty() {
            break;
        }
        if matches!(field.encoding, Encoding::Bytes | Encoding::Group) {
            return Err(unpackable(field));
        }
        let value = Scalar::read_packed(&mut reader, field.encoding);
        take(value.ok_or_else(|| damaged(&format!("packed values of the field `{}`", field.name)))?)?;
        count += 1;
    }
    Ok(count)
}

/// The name of a required field that a message, or one inside of it, does not have.
fn missing_field(message: &DynamicMessage) -> Option<String> {
    let descriptor = message.descriptor();
    let mut required = descriptor.fields().filter(|field| field.cardinality() == Cardinality::Required);
    let own = required.find(|field| !message.has_field(field)).map(|field| field.full_name().to_owned());
    own.or_else(|| message.fields().find_map(|(_, value)| missing_inside(value)))
}

fn missing_inside(value: &Value) -> Option<String> {
    match value {
        Value::Message(message) => missing_field(message),
        Value::List(values) => values.iter().find_map(missing_inside),
        Value::Map(entries) => entries.values().find_map(missing_inside),
        _ => None,
    }
}

#[cold]
fn data_loss(message: String) -> Error {
    Error::new(Code::DataLoss, ErrorKind::InvalidArgument, message)
}

#[cold]
fn damaged(what: &str) -> Error {
    data_loss(format!("{what} ends too early, or is none"))
}

#[cold]
fn unpackable(field: &Field) -> Error {
    data_loss(format!("values of the field `{}` are packed, they are no numbers", field.name))
}
