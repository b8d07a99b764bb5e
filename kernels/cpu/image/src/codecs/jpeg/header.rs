//! The header of a JPEG: extents, components and how they are to be read, without decoding.

use oplink::prelude::*;

/// What the segments before the first scan say.
pub(in crate::codecs) struct Header {
    pub(in crate::codecs) rows: usize,
    pub(in crate::codecs) columns: usize,
    /// Names of the components.
    pub(in crate::codecs) components: Vec<u8>,
    has_jfif: bool,
    /// The transform that a segment of Adobe names.
    adobe: Option<u8>,
}

/// What the components are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::codecs) enum Colors {
    Grey,
    Rgb,
    YCbCr,
    Cmyk,
    Ycck,
}

impl Header {
    pub(in crate::codecs) fn read(bytes: &[u8]) -> Result<Self> {
        let [0xFF, 0xD8, rest @ ..] = bytes else { bail!("contents are no JPEG: they do not start with its marker") };
        let (mut rest, mut has_jfif, mut adobe) = (rest, false, None);
        loop {
            let (marker, segment, after) = segment(rest)?;
            rest = after;
            match (marker, segment) {
                (0xE0, [b'J', b'F', b'I', b'F', 0, ..]) => has_jfif = true,
                (0xEE, [b'A', b'd', b'o', b'b', b'e', _, _, _, _, _, _, transform, ..]) => adobe = Some(*transform),
                // All frames but those of arithmetic tables, conditioning and extensions.
                (0xC0..=0xCF, [_, row_high, row_low, column_high, column_low, _, components @ ..])
                    if !matches!(marker, 0xC4 | 0xC8 | 0xCC) =>
                {
                    let components = components.chunks_exact(3).map(|component| component[0]).collect();
                    let rows = usize::from(u16::from_be_bytes([*row_high, *row_low]));
                    let columns = usize::from(u16::from_be_bytes([*column_high, *column_low]));
                    return Ok(Self { rows, columns, components, has_jfif, adobe });
                }
                (0xD9 | 0xDA, _) => bail!("the JPEG has no frame before its first scan"),
                _ => {}
            }
        }
    }

    /// What the components are, as libjpeg guesses it.
    pub(in crate::codecs) fn colors(&self) -> Colors {
        match (self.components.as_slice(), self.adobe) {
            ([_] | [_, _] | [], _) => Colors::Grey,
            ([_, _, _], _) if self.has_jfif => Colors::YCbCr,
            ([_, _, _], Some(0)) | ([b'R', b'G', b'B'], None) => Colors::Rgb,
            ([_, _, _], _) => Colors::YCbCr,
            (_, Some(2)) => Colors::Ycck,
            _ => Colors::Cmyk,
        }
    }

    /// Whether a segment of Adobe says that CMYK is stored inverted.
    pub(in crate::codecs) fn is_inverted(&self) -> bool {
        self.adobe.is_some()
    }
}

/// The next marker, its segment, and what follows.
pub(in crate::codecs) fn segment(bytes: &[u8]) -> Result<(u8, &[u8], &[u8])> {
    let cut = || Error::invalid_argument("the JPEG ends within its header");
    let start = bytes.windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0 | 0xFF)).ok_or_else(cut)?;
    let (marker, rest) = (bytes[start + 1], &bytes[start + 2..]);
    if matches!(marker, 0x01 | 0xD0..=0xD9) {
        return Ok((marker, &[], rest));
    }
    let [high, low, rest @ ..] = rest else { return Err(cut()) };
    let length = usize::from(u16::from_be_bytes([*high, *low])).checked_sub(2).ok_or_else(cut)?;
    let (segment, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
    Ok((marker, segment, rest))
}
