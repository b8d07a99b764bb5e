//! CRC-32C as the format stores it: masked, so that a checksum of bytes that hold checksums stays strong.

const DELTA: u32 = 0xa282_ead8;

/// The stored form of a checksum.
pub(crate) fn mask(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(DELTA)
}

/// The checksum of bytes in its stored form, which records of TensorFlow (TFRecord) have too.
pub fn masked_crc32c(bytes: &[u8]) -> u32 {
    mask(crc32c::crc32c(bytes))
}

/// The checksum of a stored form.
pub(crate) fn unmask(masked: u32) -> u32 {
    masked.wrapping_sub(DELTA).rotate_left(15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(crc32c::crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn unmask_undoes_mask() {
        for crc in [0, 1, 0x8000_0000, u32::MAX, 0xe306_9283] {
            assert_ne!(mask(crc), crc);
            assert_eq!(unmask(mask(crc)), crc);
        }
        assert_eq!(mask(0), DELTA);
    }
}
