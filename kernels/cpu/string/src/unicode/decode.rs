//! From bytes to code points.

use oplink::prelude::*;

/// An encoding of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// The byte order mark at the start says which; without one, big-endian.
    Utf16,
    Utf16Be,
    Utf16Le,
    /// As [`Self::Utf16`].
    Utf32,
    Utf32Be,
    Utf32Le,
    Ascii,
    Latin1,
}

impl Encoding {
    /// By its name, in letters of either case, of which other characters than letters and digits do not count.
    pub(crate) fn from_name(name: &str) -> Result<Self> {
        let letters = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
        Ok(match letters.collect::<String>().as_str() {
            "utf8" => Self::Utf8,
            "utf16" => Self::Utf16,
            "utf16be" => Self::Utf16Be,
            "utf16le" => Self::Utf16Le,
            "utf32" => Self::Utf32,
            "utf32be" => Self::Utf32Be,
            "utf32le" => Self::Utf32Le,
            "ascii" | "usascii" | "iso646us" => Self::Ascii,
            "latin1" | "iso88591" | "l1" => Self::Latin1,
            _ => {
                return Err(Error::unimplemented(format!(
                    "no converter for the encoding `{name}`; there are UTF-8, UTF-16, UTF-32 (with -BE or -LE), US-ASCII and \
                     ISO-8859-1"
                )));
            }
        })
    }
}

/// Takes code points, `None` for a malformed sequence, each with where its bytes end.
pub(crate) type Emit<'a> = dyn FnMut(usize, Option<char>) + 'a;

/// Calls `emit` with each code point, `None` for a malformed sequence. A byte order mark belongs to the first one.
pub(crate) fn decode(encoding: Encoding, bytes: &[u8], emit: &mut Emit<'_>) {
    match encoding {
        Encoding::Utf8 => utf8(bytes, emit),
        Encoding::Utf16 => match bytes {
            [0xFF, 0xFE, ..] => utf16((bytes, 2), u16::from_le_bytes, emit),
            [0xFE, 0xFF, ..] => utf16((bytes, 2), u16::from_be_bytes, emit),
            _ => utf16((bytes, 0), u16::from_be_bytes, emit),
        },
        Encoding::Utf16Be => utf16((bytes, 0), u16::from_be_bytes, emit),
        Encoding::Utf16Le => utf16((bytes, 0), u16::from_le_bytes, emit),
        Encoding::Utf32 => match bytes {
            [0xFF, 0xFE, 0, 0, ..] => utf32((bytes, 4), u32::from_le_bytes, emit),
            [0, 0, 0xFE, 0xFF, ..] => utf32((bytes, 4), u32::from_be_bytes, emit),
            _ => utf32((bytes, 0), u32::from_be_bytes, emit),
        },
        Encoding::Utf32Be => utf32((bytes, 0), u32::from_be_bytes, emit),
        Encoding::Utf32Le => utf32((bytes, 0), u32::from_le_bytes, emit),
        Encoding::Ascii => single_bytes(bytes, emit, |byte| byte.is_ascii().then_some(char::from(byte))),
        Encoding::Latin1 => single_bytes(bytes, emit, |byte| Some(char::from(byte))),
    }
}

fn single_bytes(bytes: &[u8], emit: &mut Emit<'_>, decoded: impl Fn(u8) -> Option<char>) {
    bytes.iter().enumerate().for_each(|(at, &byte)| emit(at + 1, decoded(byte)));
}

fn utf8(bytes: &[u8], emit: &mut Emit<'_>) {
    let mut end = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            end += c.len_utf8();
            emit(end, Some(c));
        }
        if !chunk.invalid().is_empty() {
            end += chunk.invalid().len();
            emit(end, None);
        }
    }
}

fn utf16((bytes, start): (&[u8], usize), unit: fn([u8; 2]) -> u16, emit: &mut Emit<'_>) {
    let (units, rest) = bytes[start..].as_chunks();
    let mut decoded = char::decode_utf16(units.iter().map(|&bytes| unit(bytes))).peekable();
    let mut end = start;
    while let Some(c) = decoded.next() {
        let is_cut_pair = decoded.peek().is_none()
            && !rest.is_empty()
            && c.as_ref().is_err_and(|error| error.unpaired_surrogate() < 0xDC00);
        end += 2 * c.as_ref().map_or(1, |c| c.len_utf16());
        if !is_cut_pair {
            emit(end, c.ok());
        }
    }
    if !rest.is_empty() {
        emit(bytes.len(), None);
    }
}

fn utf32((bytes, start): (&[u8], usize), unit: fn([u8; 4]) -> u32, emit: &mut Emit<'_>) {
    let (units, rest) = bytes[start..].as_chunks();
    for (end, &bytes) in (start + 4..).step_by(4).zip(units) {
        emit(end, char::from_u32(unit(bytes)));
    }
    if !rest.is_empty() {
        emit(bytes.len(), None);
    }
}
