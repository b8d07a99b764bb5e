//! As much of the protobuf wire format as crates without generated messages need: checkpoints, plugins, string
//! constants.

/// Why bytes could not be understood.
pub type Parsed<T> = Result<T, &'static str>;

/// Takes a varint from the front.
///
/// # Errors
/// The bytes end within it, or it exceeds 64 bits.
pub fn take_varint(bytes: &mut &[u8]) -> Parsed<u64> {
    let mut value = 0;
    for (at, &byte) in bytes.iter().enumerate().take(10) {
        if at == 9 && byte > 1 {
            return Err("a number exceeds 64 bits");
        }
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            *bytes = &bytes[at + 1..];
            return Ok(value);
        }
    }
    Err(if bytes.len() < 10 { "the bytes end within a number" } else { "a number exceeds 64 bits" })
}

/// Takes so many bytes from the front.
///
/// # Errors
/// There are fewer.
pub fn take<'a>(bytes: &mut &'a [u8], count: u64) -> Parsed<&'a [u8]> {
    let count = usize::try_from(count).ok().filter(|&count| count <= bytes.len());
    let (head, rest) = bytes.split_at(count.ok_or("the bytes end before the length they give")?);
    *bytes = rest;
    Ok(head)
}

/// Takes a little-endian word from the front.
///
/// # Errors
/// There are fewer.
pub fn take_word<const N: usize>(bytes: &mut &[u8]) -> Parsed<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk().ok_or("the bytes end within a word")?;
    *bytes = rest;
    Ok(*head)
}

/// Appends a varint.
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a number field; as in proto3, not where it is 0.
pub fn put_number(out: &mut Vec<u8>, field: u32, value: i64) {
    if value != 0 {
        put_varint(out, u64::from(field << 3));
        put_varint(out, value as u64);
    }
}

/// Appends a field of bytes or of a message, empty or not.
pub fn put_bytes(out: &mut Vec<u8>, field: u32, bytes: &[u8]) {
    put_varint(out, u64::from(field << 3 | 2));
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends a 32-bit word field; not where it is 0.
pub fn put_fixed32(out: &mut Vec<u8>, field: u32, value: u32) {
    if value != 0 {
        put_varint(out, u64::from(field << 3 | 5));
        out.extend_from_slice(&value.to_le_bytes());
    }
}

/// Appends a 64-bit word field; not where it is 0.
pub fn put_fixed64(out: &mut Vec<u8>, field: u32, value: u64) {
    if value != 0 {
        put_varint(out, u64::from(field << 3 | 1));
        out.extend_from_slice(&value.to_le_bytes());
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// An integer, bool or enum.
    Varint(u64),
    /// A 64-bit word or a double.
    Fixed64(u64),
    /// A string, bytes, a message or packed numbers.
    Bytes(&'a [u8]),
    /// A 32-bit word or a float.
    Fixed32(u32),
}

impl<'a> Value<'a> {
    /// The value of a field of kind int32, int64, bool or enum.
    ///
    /// # Errors
    /// It is of another kind.
    pub fn number(self) -> Parsed<i64> {
        match self {
            Self::Varint(value) => Ok(value as i64),
            _ => Err("a number field is not a number"),
        }
    }

    /// The value of a field of kind string, bytes, message or packed list.
    ///
    /// # Errors
    /// It is of another kind.
    pub fn bytes(self) -> Parsed<&'a [u8]> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            _ => Err("a field of bytes is a number"),
        }
    }

    /// The value of a field of kind fixed32.
    ///
    /// # Errors
    /// It is of another kind.
    pub fn fixed32(self) -> Parsed<u32> {
        match self {
            Self::Fixed32(value) => Ok(value),
            _ => Err("a 32-bit word is of another kind"),
        }
    }
}

/// Calls `visit` with the number and value of every field of a message.
///
/// # Errors
/// The bytes are no message, or `visit` fails.
pub fn fields<'a>(mut message: &'a [u8], mut visit: impl FnMut(u32, Value<'a>) -> Parsed<()>) -> Parsed<()> {
    while !message.is_empty() {
        let tag = take_varint(&mut message)?;
        let field =
            u32::try_from(tag >> 3).ok().filter(|&field| field > 0).ok_or("a field's number is out of range")?;
        let value = match tag & 7 {
            0 => Value::Varint(take_varint(&mut message)?),
            1 => Value::Fixed64(u64::from_le_bytes(take_word(&mut message)?)),
            2 => {
                let length = take_varint(&mut message)?;
                Value::Bytes(take(&mut message, length)?)
            }
            5 => Value::Fixed32(u32::from_le_bytes(take_word(&mut message)?)),
            _ => return Err("a field is of an unknown wire type"),
        };
        visit(field, value)?;
    }
    Ok(())
}

/// The numbers of a repeated field, packed or not, appended.
///
/// # Errors
/// It is no number and no packed list.
pub fn repeated(value: Value<'_>, out: &mut Vec<i64>) -> Parsed<()> {
    let Value::Bytes(mut packed) = value else {
        out.push(value.number()?);
        return Ok(());
    };
    while !packed.is_empty() {
        out.push(take_varint(&mut packed)? as i64);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            let mut rest = &bytes[..];
            assert_eq!(take_varint(&mut rest), Ok(value));
            assert!(rest.is_empty());
            assert!(take_varint(&mut &bytes[..bytes.len() - 1]).is_err());
        }
        assert!(take_varint(&mut &[0xff; 12][..]).is_err());
        assert!(take_varint(&mut &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2][..]).is_err());
    }

    #[test]
    fn fields_of_every_kind() {
        let message = [0x08, 0x96, 0x01, 0x11, 1, 0, 0, 0, 0, 0, 0, 0, 0x1a, 2, b'h', b'i', 0x25, 5, 0, 0, 0];
        let mut seen = Vec::new();
        fields(&message, |field, value| {
            seen.push(match value {
                Value::Varint(v) | Value::Fixed64(v) => (field, v as usize),
                Value::Bytes(b) => (field, b.len()),
                Value::Fixed32(v) => (field, v as usize),
            });
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, [(1, 150), (2, 1), (3, 2), (4, 5)]);
        for end in [1, 2, 5, 13, 14, 19] {
            assert!(fields(&message[..end], |_, _| Ok(())).is_err(), "{end}");
        }
        assert!(fields(&[0x0b], |_, _| Ok(())).is_err());
        assert!(fields(&[0x00, 0x00], |_, _| Ok(())).is_err());
    }

    #[test]
    fn defaults_are_not_written() {
        let mut out = Vec::new();
        put_number(&mut out, 1, 0);
        put_fixed32(&mut out, 6, 0);
        assert!(out.is_empty());
        put_number(&mut out, 1, -1);
        assert_eq!(out.len(), 11);
    }
}
