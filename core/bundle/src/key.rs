//! The key under which a slice of a tensor is stored: an encoding whose byte order is the order of (name, slice).
//!
//! A zero byte; the name, in which the bytes 0 and 255 are escaped, and its end; the rank; for each axis the start and
//! the length, where a whole axis is 0 and -1. Unsigned numbers are a byte count and big-endian bytes. Signed ones are
//! big-endian with as many leading ones as the encoding has bytes, complemented where negative.

use crate::TensorSlice;

/// Whether a key is one of a slice and not a tensor's name.
pub(crate) fn is_slice_key(key: &[u8]) -> bool {
    key.first() == Some(&0)
}

/// The key of this slice of the tensor `name`.
pub(crate) fn slice_key(name: &[u8], slice: &TensorSlice) -> Vec<u8> {
    let mut key = Vec::with_capacity(name.len() + 4 + 4 * slice.rank());
    put_unsigned(&mut key, 0);
    put_string(&mut key, name);
    put_unsigned(&mut key, slice.rank() as u64);
    for extent in slice.extents() {
        let (start, length) = extent.as_ref().map_or((0, -1), |range| (range.start as i64, range.len() as i64));
        put_signed(&mut key, start);
        put_signed(&mut key, length);
    }
    key
}

fn put_unsigned(out: &mut Vec<u8>, value: u64) {
    let count = 8 - value.leading_zeros() as usize / 8;
    out.push(count as u8);
    out.extend_from_slice(&value.to_be_bytes()[8 - count..]);
}

fn put_string(out: &mut Vec<u8>, text: &[u8]) {
    for &byte in text {
        match byte {
            0x00 => out.extend([0x00, 0xff]),
            0xff => out.extend([0xff, 0x00]),
            byte => out.push(byte),
        }
    }
    out.extend([0x00, 0x01]);
}

fn put_signed(out: &mut Vec<u8>, value: i64) {
    let magnitude = if value < 0 { !value } else { value } as u64;
    // Each byte carries 7 bits, one of them all in all the sign; the longest encodings end at 10 bytes.
    let count = ((64 - magnitude.leading_zeros() as usize) / 7 + 1).min(10);
    let mut bytes = [if value < 0 { 0xff } else { 0 }; 10];
    bytes[2..].copy_from_slice(&value.to_be_bytes());
    let bytes = &mut bytes[10 - count..];
    // The leading `count` bits are flipped: ones and then a zero, for a negative value the reverse.
    let header = !(u16::MAX >> count);
    bytes[0] ^= (header >> 8) as u8;
    if let Some(second) = bytes.get_mut(1) {
        *second ^= header as u8;
    }
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(value: i64) -> Vec<u8> {
        let mut out = Vec::new();
        put_signed(&mut out, value);
        out
    }

    /// As TensorFlow writes the key of the first half of a vector `a` of 4.
    #[test]
    fn key_of_a_slice() {
        let key = slice_key(b"a", &TensorSlice::parse("0,2").unwrap());
        assert_eq!(key, [0, b'a', 0, 1, 1, 1, 0x80, 0x82]);
        assert_eq!(slice_key(b"a\0\xff", &TensorSlice::full(1)), [0, b'a', 0, 0xff, 0xff, 0, 0, 1, 1, 1, 0x80, 0x7f]);
        assert!(is_slice_key(&key) && !is_slice_key(b"a") && !is_slice_key(b""));
    }

    #[test]
    fn signed_numbers_sort_as_bytes() {
        let bits = (0..63).flat_map(|bit| [(1i64 << bit) - 1, 1 << bit]);
        let mut values: Vec<i64> = bits.flat_map(|v| [v, !v]).chain([i64::MAX, i64::MIN]).collect();
        values.sort_unstable();
        values.dedup();
        for pair in values.windows(2) {
            assert!(signed(pair[0]) < signed(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn lengths_of_signed_numbers() {
        let lengths =
            [(0, 1), (63, 1), (64, 2), (-64, 1), (-65, 2), (8191, 2), (8192, 3), (i64::MAX, 10), (i64::MIN, 10)];
        for (value, length) in lengths {
            assert_eq!(signed(value).len(), length, "{value}");
        }
        assert_eq!(signed(64), [0xc0, 0x40]);
        assert_eq!(signed(-65), [0x3f, 0xbf]);
    }
}
