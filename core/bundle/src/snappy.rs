//! Bytes compressed by Snappy, in its format of blocks.

use std::io;

/// Compresses bytes.
///
/// # Errors
/// There are more than 4 GiB of them.
pub fn snappy_compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    snap::raw::Encoder::new().compress_vec(bytes).map_err(io::Error::other)
}

/// Expands what was compressed.
///
/// # Errors
/// It is no such block, or claims to become larger than any block can.
pub fn snappy_expand(block: &[u8]) -> io::Result<Vec<u8>> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidData, "a compressed block cannot be expanded");
    // Snappy makes at most 64 bytes of 3: a larger claim is not worth its memory.
    let length = snap::raw::decompress_len(block).map_err(|_| invalid())?;
    if length / 64 > block.len() {
        return Err(invalid());
    }
    snap::raw::Decoder::new().decompress_vec(block).map_err(|_| invalid())
}
