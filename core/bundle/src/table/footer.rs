//! Places of blocks, and the footer that every reader starts from.

use oplink_api::spec::wire::{Parsed, put_varint, take_varint};

/// Bytes of the footer.
pub(super) const FOOTER: usize = 48;
/// The last 8 bytes of a table, little-endian.
const MAGIC: u64 = 0xdb47_7524_8b80_fb57;
/// Bytes that follow each block: its compression and its checksum.
pub(super) const TRAILER: usize = 5;

/// Where a block lies; its trailer follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHandle {
    pub(super) offset: u64,
    pub(super) size: u64,
}

impl BlockHandle {
    pub(super) fn take(bytes: &mut &[u8]) -> Parsed<Self> {
        Ok(Self { offset: take_varint(bytes)?, size: take_varint(bytes)? })
    }

    pub(super) fn put(self, out: &mut Vec<u8>) {
        put_varint(out, self.offset);
        put_varint(out, self.size);
    }
}

/// The footer of a table with these two blocks.
pub(super) fn encode(metaindex: BlockHandle, index: BlockHandle) -> Vec<u8> {
    let mut out = Vec::with_capacity(FOOTER);
    metaindex.put(&mut out);
    index.put(&mut out);
    out.resize(FOOTER - 8, 0);
    out.extend(MAGIC.to_le_bytes());
    out
}

/// The place of the index block, from a footer.
pub(super) fn decode(footer: &[u8; FOOTER]) -> Parsed<BlockHandle> {
    if footer[FOOTER - 8..] != MAGIC.to_le_bytes() {
        return Err(
            "it does not end with the magic number of a table, so it is not an index file or its end is missing",
        );
    }
    let mut bytes = &footer[..FOOTER - 8];
    BlockHandle::take(&mut bytes)?;
    BlockHandle::take(&mut bytes)
}
