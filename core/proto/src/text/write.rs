//! From a message to text.

use super::{TextError, descriptor, float};
use crate::MAX_TEXT_DEPTH;
use prost::{Message, Name};
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, Value};
use std::fmt::{Display, Write as _};

/// Writes a message in the text format, one field a line: fields by number, entries of maps by key, only fields that
/// are set. The text is the one that TensorFlow's Python writes (`tf.io.write_graph`), except that a
/// `google.protobuf.Any` is never expanded.
///
/// # Errors
/// When messages nest deeper than [`MAX_TEXT_DEPTH`](crate::MAX_TEXT_DEPTH), or the type is not one of this crate's
/// messages.
pub fn to_text<M: Message + Name>(message: &M) -> Result<String, TextError> {
    let descriptor = descriptor::<M>()?;
    let dynamic = DynamicMessage::decode(descriptor, message.encode_to_vec().as_slice())
        .map_err(|e| TextError::plain(&M::full_name(), e.to_string()))?;
    let mut writer = Writer::default();
    writer.message(&dynamic);
    if writer.too_deep {
        return Err(TextError::plain(
            &M::full_name(),
            format!("messages nest deeper than {MAX_TEXT_DEPTH}, the most in text"),
        ));
    }
    Ok(writer.out)
}

#[derive(Default)]
struct Writer {
    out: String,
    indent: usize,
    /// Whether something was left out because it is deeper than the reader accepts.
    too_deep: bool,
}

impl Writer {
    fn message(&mut self, message: &DynamicMessage) {
        for (field, value) in message.fields() {
            self.field(&field, value);
        }
    }

    fn field(&mut self, field: &FieldDescriptor, value: &Value) {
        match value {
            Value::List(values) => values.iter().for_each(|value| self.entry(field, value)),
            Value::Map(entries) => {
                let mut entries: Vec<_> = entries.iter().collect();
                entries.sort_by_key(|(key, _)| *key);
                for (key, value) in entries {
                    self.map_entry(field, key, value);
                }
            }
            single => self.entry(field, single),
        }
    }

    /// One value of a field, on lines of its own.
    fn entry(&mut self, field: &FieldDescriptor, value: &Value) {
        match value {
            Value::Message(message) => self.block(field.name(), |writer| writer.message(message)),
            scalar => self.line(field.name(), scalar_text(&field.kind(), scalar)),
        }
    }

    /// An entry as the message it is: a key or scalar value that is zero or empty is not set.
    fn map_entry(&mut self, field: &FieldDescriptor, key: &MapKey, value: &Value) {
        let Kind::Message(entry) = field.kind() else {
            return;
        };
        let (key_field, value_field) = (entry.map_entry_key_field(), entry.map_entry_value_field());
        self.block(field.name(), |writer| {
            if !key.is_default(&key_field.kind()) {
                writer.line("key", key_text(key));
            }
            if matches!(value, Value::Message(_)) || !value.is_default(&value_field.kind()) {
                writer.entry(&value_field, value);
            }
        });
    }

    fn block(&mut self, name: &str, inside: impl FnOnce(&mut Writer)) {
        if self.indent == 2 * MAX_TEXT_DEPTH {
            self.too_deep = true;
            return;
        }
        self.start(name);
        self.out.push_str(" {\n");
        self.indent += 2;
        inside(self);
        self.indent -= 2;
        self.start("}\n");
    }

    fn line(&mut self, name: &str, value: impl Display) {
        self.start(name);
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.out, ": {value}");
    }

    fn start(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.out.push_str(text);
    }
}

fn key_text(key: &MapKey) -> String {
    match key {
        MapKey::Bool(key) => key.to_string(),
        MapKey::I32(key) => key.to_string(),
        MapKey::I64(key) => key.to_string(),
        MapKey::U32(key) => key.to_string(),
        MapKey::U64(key) => key.to_string(),
        MapKey::String(key) => quoted_string(key),
    }
}

fn scalar_text(kind: &Kind, value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::I32(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
        Value::U32(value) => value.to_string(),
        Value::U64(value) => value.to_string(),
        Value::F32(value) => float::float(*value),
        Value::F64(value) => float::double(*value),
        Value::String(value) => quoted_string(value),
        Value::Bytes(value) => quoted_bytes(value),
        Value::EnumNumber(number) => enum_text(kind, *number),
        // `Writer` takes these apart before it asks for a scalar.
        Value::Message(_) | Value::List(_) | Value::Map(_) => String::new(),
    }
}

/// The name of an enum's value; the number of one without a name.
fn enum_text(kind: &Kind, number: i32) -> String {
    match kind {
        Kind::Enum(descriptor) => match descriptor.get_value(number) {
            Some(value) => value.name().to_owned(),
            None => number.to_string(),
        },
        _ => number.to_string(),
    }
}

/// Text in quotes; characters beyond ASCII stand as they are.
fn quoted_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match u8::try_from(char) {
            Ok(byte) if byte.is_ascii() => push_escaped(&mut out, byte),
            _ => out.push(char),
        }
    }
    out.push('"');
    out
}

/// Bytes in quotes; those beyond ASCII as octal escapes.
fn quoted_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for byte in bytes {
        push_escaped(&mut out, *byte);
    }
    out.push('"');
    out
}

fn push_escaped(out: &mut String, byte: u8) {
    match byte {
        b'\t' => out.push_str("\\t"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'"' | b'\'' | b'\\' => out.extend(['\\', char::from(byte)]),
        b' '..=b'~' => out.push(char::from(byte)),
        _ => {
            let octal = |shift: u8| char::from(b'0' + (byte >> shift & 7));
            out.extend(['\\', octal(6), octal(3), octal(0)]);
        }
    }
}
