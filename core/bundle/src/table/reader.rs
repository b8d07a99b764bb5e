//! Reading a table.

use oplink_api::Result;
use oplink_api::spec::wire::Parsed;

use super::block::Entries;
use super::footer::{self, BlockHandle, FOOTER, TRAILER};
use crate::checksum::unmask;
use crate::error::damaged;
use crate::file::ReadFile;

/// A table whose blocks are read as they are needed. Every block's checksum is verified.
#[derive(Debug)]
pub(crate) struct Table {
    file: ReadFile,
    /// A key not before the block's last one, and the block's place.
    blocks: Vec<(Vec<u8>, BlockHandle)>,
}

impl Table {
    /// Reads the footer and the index.
    pub(crate) fn open(file: ReadFile) -> Result<Self> {
        let Some(at) = file.len().checked_sub(FOOTER as u64) else {
            return Err(damaged(file.path(), format_args!("it has {} bytes, fewer than its footer", file.len())));
        };
        let mut bytes = [0; FOOTER];
        file.read_exact_at(&mut bytes, at)?;
        let index = footer::decode(&bytes).map_err(|why| damaged(file.path(), why))?;
        let mut table = Self { file, blocks: Vec::new() };
        let index = table.read_block(index)?;
        table.blocks = decode_index(&index).map_err(|why| table.damaged(why))?;
        Ok(table)
    }

    /// The file.
    pub(crate) fn file(&self) -> &ReadFile {
        &self.file
    }

    /// That the table's contents are not what they should be.
    pub(crate) fn damaged(&self, why: impl std::fmt::Display) -> oplink_api::Error {
        damaged(self.file.path(), why)
    }

    /// Calls `visit` with every entry, in the order of the keys, which is checked.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&[u8], &[u8]) -> Result<()>) -> Result<()> {
        let mut last: Option<Vec<u8>> = None;
        for &(_, handle) in &self.blocks {
            let block = self.read_block(handle)?;
            let mut entries = Entries::new(&block).map_err(|why| self.damaged(why))?;
            while let Some(entry) = entries.next() {
                let (key, value) = entry.map_err(|why| self.damaged(why))?;
                let ascending = last.as_deref().is_none_or(|last| last < key);
                if !ascending {
                    return Err(self.damaged("its keys are not in ascending order"));
                }
                let last = last.get_or_insert_default();
                last.clear();
                last.extend_from_slice(key);
                visit(key, value)?;
            }
        }
        Ok(())
    }

    /// The value of a key.
    pub(crate) fn get(&self, wanted: &[u8]) -> Result<Option<Vec<u8>>> {
        let first = self.blocks.partition_point(|(last, _)| &last[..] < wanted);
        let Some(&(_, handle)) = self.blocks.get(first) else { return Ok(None) };
        let block = self.read_block(handle)?;
        let mut entries = Entries::new(&block).map_err(|why| self.damaged(why))?;
        while let Some(entry) = entries.next() {
            let (key, value) = entry.map_err(|why| self.damaged(why))?;
            if key == wanted {
                return Ok(Some(value.to_vec()));
            }
        }
        Ok(None)
    }

    /// A block's contents, uncompressed.
    fn read_block(&self, handle: BlockHandle) -> Result<Vec<u8>> {
        let size = handle.size.saturating_add(TRAILER as u64);
        self.file.check_range(handle.offset, size)?;
        let mut bytes = vec![0; size as usize];
        self.file.read_exact_at(&mut bytes, handle.offset)?;
        check_block(bytes).map_err(|why| self.damaged(format_args!("{why} (the block at {})", handle.offset)))
    }
}

/// The contents of a block, given with its trailer.
fn check_block(mut bytes: Vec<u8>) -> Parsed<Vec<u8>> {
    let (checked, checksum) = bytes.split_last_chunk::<4>().ok_or("a block is too short")?;
    if crc32c::crc32c(checked) != unmask(u32::from_le_bytes(*checksum)) {
        return Err("a checksum does not match");
    }
    let (&kind, contents) = checked.split_last().ok_or("a block is too short")?;
    match kind {
        0 => {
            bytes.truncate(contents.len());
            Ok(bytes)
        }
        1 => decompress(contents),
        _ => Err("a block is compressed by an unknown method"),
    }
}

pub(super) fn decompress(contents: &[u8]) -> Parsed<Vec<u8>> {
    crate::snappy::snappy_expand(contents).map_err(|_| "a compressed block cannot be expanded")
}

fn decode_index(index: &[u8]) -> Parsed<Vec<(Vec<u8>, BlockHandle)>> {
    let mut entries = Entries::new(index)?;
    let mut blocks: Vec<(Vec<u8>, BlockHandle)> = Vec::new();
    while let Some(entry) = entries.next() {
        let (key, mut value) = entry?;
        if blocks.last().is_some_and(|(last, _)| &last[..] > key) {
            return Err("the keys of its index are not in ascending order");
        }
        blocks.push((key.to_vec(), BlockHandle::take(&mut value)?));
    }
    Ok(blocks)
}
