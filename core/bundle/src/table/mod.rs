//! The index file's format: a sorted table from keys to values, in LevelDB's layout.
//!
//! Blocks of entries, each followed by a byte that names its compression and a masked checksum of both; a block without
//! entries that could describe others; the block of the index, with an entry a block: a key not before its last one and
//! its place; a footer of 48 bytes with the places of the two special blocks and a magic number. An entry of a block is
//! the length of the prefix that its key shares with the one before, the length of the rest, the length of the value,
//! the rest, the value. A block ends with the positions of the entries that share nothing, and their number.

mod block;
mod footer;
mod reader;
mod writer;

pub(crate) use reader::Table;
pub(crate) use writer::TableWriter;

#[cfg(test)]
mod tests;
