//! Reading messages.

/// Why bytes are no message.
pub type Problem = &'static str;

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// An integer.
    Varint(u64),
    /// Four bytes.
    Fixed32([u8; 4]),
    /// Eight bytes.
    Fixed64([u8; 8]),
    /// A string, bytes, a message or packed numbers.
    Bytes(&'a [u8]),
}

/// A field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its number.
    pub number: u64,
    /// Its value.
    pub value: Value<'a>,
    /// All its bytes.
    pub bytes: &'a [u8],
}

/// The fields of a message in their order.
///
/// # Errors
/// The bytes end within a field, or a field has no number or a kind that is not in use.
pub fn fields(mut bytes: &[u8]) -> Result<Vec<Field<'_>>, Problem> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let start = bytes;
        let key = take_varint(&mut bytes)?;
        let value = match key & 7 {
            0 => Value::Varint(take_varint(&mut bytes)?),
            1 => Value::Fixed64(take_chunk(&mut bytes)?),
            2 => {
                let length = take_varint(&mut bytes)?;
                let length = usize::try_from(length).ok().filter(|&length| length <= bytes.len());
                let (value, rest) = bytes.split_at(length.ok_or("a field is longer than the message")?);
                bytes = rest;
                Value::Bytes(value)
            }
            5 => Value::Fixed32(take_chunk(&mut bytes)?),
            _ => return Err("a field has an unknown kind"),
        };
        if key >> 3 == 0 {
            return Err("a field has the number 0");
        }
        fields.push(Field { number: key >> 3, value, bytes: &start[..start.len() - bytes.len()] });
    }
    Ok(fields)
}

/// Takes an integer from the front.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Result<u64, Problem> {
    let mut value = 0;
    for (at, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7F).checked_shl(7 * at as u32).unwrap_or(0);
        if byte < 0x80 {
            *bytes = &bytes[at + 1..];
            return Ok(value);
        }
    }
    Err("an integer does not end")
}

/// Takes bytes from the front.
pub(super) fn take_chunk<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Problem> {
    let (chunk, rest) = bytes.split_first_chunk().ok_or("a number is cut off")?;
    *bytes = rest;
    Ok(*chunk)
}
