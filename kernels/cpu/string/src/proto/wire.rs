//! Encoded messages, field by field.

/// How deep groups nest that are passed over.
const DEPTH: usize = 100;

/// How a field is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireType {
    Varint,
    Fixed64,
    Delimited,
    StartGroup,
    EndGroup,
    Fixed32,
}

/// The number of a field and how it is encoded.
pub(super) type Tag = (u32, WireType);

/// What is left of a message. Each reading is `None` where the bytes end before it does, or are no such thing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    /// Integers of any length up to 64 bits.
    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for (at, &byte) in self.0.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7F) << (7 * at);
            if byte < 0x80 {
                self.0 = &self.0[at + 1..];
                return Some(value);
            }
        }
        None
    }

    /// A tag. The field number 0 is none, but the end of a group.
    pub(super) fn tag(&mut self) -> Option<Tag> {
        let tag = self.varint()? as u32;
        let wire_type = match tag & 7 {
            0 => WireType::Varint,
            1 => WireType::Fixed64,
            2 => WireType::Delimited,
            3 => WireType::StartGroup,
            4 => WireType::EndGroup,
            5 => WireType::Fixed32,
            _ => return None,
        };
        let number = tag >> 3;
        (number != 0).then_some((number, wire_type))
    }

    pub(super) fn bytes(&mut self, count: u64) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(usize::try_from(count).ok()?)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn fixed32(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    pub(super) fn fixed64(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    /// Bytes behind their length.
    pub(super) fn delimited(&mut self) -> Option<&'a [u8]> {
        let length = self.varint()?;
        self.bytes(length)
    }

    /// What follows a tag, up to the end of a group with its tag.
    pub(super) fn skip(&mut self, tag: Tag) -> Option<()> {
        let mut open = vec![];
        let mut next = tag;
        loop {
            match next.1 {
                WireType::Varint => self.varint().map(drop)?,
                WireType::Fixed64 => self.fixed64().map(drop)?,
                WireType::Fixed32 => self.fixed32().map(drop)?,
                WireType::Delimited => self.delimited().map(drop)?,
                WireType::StartGroup if open.len() == DEPTH => return None,
                WireType::StartGroup => open.push(next.0),
                WireType::EndGroup if open.pop() != Some(next.0) => return None,
                WireType::EndGroup => {}
            }
            if open.is_empty() {
                return Some(());
            }
            next = self.tag()?;
        }
    }
}

/// Appends an integer.
pub(super) fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a tag.
pub(super) fn push_tag(out: &mut Vec<u8>, number: u32, wire_type: WireType) {
    let bits = match wire_type {
        WireType::Varint => 0,
        WireType::Fixed64 => 1,
        WireType::Delimited => 2,
        WireType::StartGroup => 3,
        WireType::EndGroup => 4,
        WireType::Fixed32 => 5,
    };
    push_varint(out, u64::from(number) << 3 | bits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_passed_over_whole() {
        let group = [0x0B, 0x13, 0x08, 0x01, 0x14, 0x12, 0x02, 0xFF, 0xFF, 0x0C, 0x55];
        let mut reader = Reader(&group);
        let tag = reader.tag().unwrap();
        assert_eq!(tag, (1, WireType::StartGroup));
        assert!(reader.skip(tag).is_some());
        assert_eq!(reader.0, [0x55]);
    }

    #[test]
    fn damaged_fields_are_refused() {
        for bytes in
            [&[0x08][..], &[0x0B, 0x14], &[0x0B], &[0x0C], &[0x0A, 0x02, 0x00], &[0x09, 0, 0], &[0x0D], &[0x0B; 300]]
        {
            let mut reader = Reader(bytes);
            let tag = reader.tag().unwrap();
            assert!(reader.skip(tag).is_none(), "{bytes:?}");
        }
        assert!(Reader(&[0x80; 11]).varint().is_none());
        assert!(Reader(&[0x0E]).tag().is_none() && Reader(&[0x01]).tag().is_none() && Reader(&[]).tag().is_none());
    }

    #[test]
    fn what_is_written_is_read() {
        for value in [0, 127, 128, 1 << 35, u64::MAX] {
            let mut out = Vec::new();
            push_varint(&mut out, value);
            assert_eq!(Reader(&out).varint(), Some(value));
        }
        let mut out = Vec::new();
        push_tag(&mut out, 105, WireType::Delimited);
        assert_eq!(Reader(&out).tag(), Some((105, WireType::Delimited)));
    }
}
