//! Writing a table.

use std::io::{self, Write};

use super::block::{BlockWriter, RESTART_INTERVAL};
use super::footer::{self, BlockHandle};
use crate::checksum::mask;

/// Bytes at which a block is complete.
const BLOCK: usize = 256 << 10;

/// Writes a table to `out`. Keys are added in ascending order of their bytes, each once.
pub(crate) struct TableWriter<W> {
    out: W,
    offset: u64,
    block: BlockWriter,
    index: BlockWriter,
    /// The last key and the place of a block that the index does not yet have.
    pending: Option<(Vec<u8>, BlockHandle)>,
    #[cfg(test)]
    pub(super) compressed: bool,
}

impl<W: Write> TableWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            offset: 0,
            block: BlockWriter::new(RESTART_INTERVAL),
            index: BlockWriter::new(1),
            pending: None,
            #[cfg(test)]
            compressed: false,
        }
    }

    /// Appends an entry.
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        if let Some((last, handle)) = self.pending.take() {
            self.add_to_index(&separator(last, key), handle);
        }
        self.block.add(key, value);
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    /// Writes what is left and the footer; returns the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        let metaindex = self.write_block(&BlockWriter::new(RESTART_INTERVAL).take())?;
        if let Some((last, handle)) = self.pending.take() {
            self.add_to_index(&successor(last), handle);
        }
        let index = self.index.take();
        let index = self.write_block(&index)?;
        self.out.write_all(&footer::encode(metaindex, index))?;
        Ok(self.out)
    }

    fn add_to_index(&mut self, key: &[u8], handle: BlockHandle) {
        let mut value = Vec::new();
        handle.put(&mut value);
        self.index.add(key, &value);
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let last = self.block.last_key().to_vec();
        let contents = self.block.take();
        self.pending = Some((last, self.write_block(&contents)?));
        Ok(())
    }

    fn write_block(&mut self, contents: &[u8]) -> io::Result<BlockHandle> {
        let kind = [0];
        #[cfg(test)]
        let packed = crate::snappy::snappy_compress(contents)?;
        #[cfg(test)]
        let (kind, contents) = if self.compressed { ([1], &packed[..]) } else { (kind, contents) };
        let checksum = crc32c::crc32c_append(crc32c::crc32c(contents), &kind);
        self.out.write_all(contents)?;
        self.out.write_all(&kind)?;
        self.out.write_all(&mask(checksum).to_le_bytes())?;
        let handle = BlockHandle { offset: self.offset, size: contents.len() as u64 };
        self.offset += (contents.len() + super::footer::TRAILER) as u64;
        Ok(handle)
    }
}

/// A short key that is not before `last` and before `next`.
fn separator(mut last: Vec<u8>, next: &[u8]) -> Vec<u8> {
    let common = last.iter().zip(next).take_while(|(a, b)| a == b).count();
    if let (Some(&a), Some(&b)) = (last.get(common), next.get(common))
        && a < 0xff
        && a + 1 < b
    {
        last[common] = a + 1;
        last.truncate(common + 1);
    }
    last
}

/// A short key that is not before `last`.
fn successor(mut last: Vec<u8>) -> Vec<u8> {
    if let Some(at) = last.iter().position(|&byte| byte != 0xff) {
        last[at] += 1;
        last.truncate(at + 1);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_between_blocks() {
        let between = |last: &[u8], next: &[u8]| separator(last.to_vec(), next);
        assert_eq!(between(b"abcd", b"abzz"), b"abd");
        assert_eq!(between(b"abc", b"abd"), b"abc");
        assert_eq!(between(b"ab", b"abc"), b"ab");
        assert_eq!(successor(b"\xff\xffa".to_vec()), b"\xff\xffb");
        assert_eq!(successor(b"\xff".to_vec()), b"\xff");
    }
}
