//! Bytes that are read by position: a file on disk, or memory.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use oplink_api::{PositionedFile, Result};

use crate::error::{damaged, file_error};

/// A file with the name that errors give it.
#[derive(Debug)]
pub(crate) struct ReadFile {
    path: PathBuf,
    length: u64,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Disk(PositionedFile),
    Memory(Vec<u8>),
}

impl ReadFile {
    pub(crate) fn open(path: PathBuf) -> Result<Self> {
        let opened = File::open(&path).and_then(|file| Ok((file.metadata()?, file)));
        let (metadata, file) = opened.map_err(|error| file_error("open checkpoint file", &path, &error))?;
        if metadata.is_dir() {
            return Err(file_error("open checkpoint file", &path, &io::ErrorKind::IsADirectory.into()));
        }
        Ok(Self { path, length: metadata.len(), bytes: Bytes::Disk(PositionedFile::new(file)) })
    }

    pub(crate) fn from_memory(name: PathBuf, bytes: Vec<u8>) -> Self {
        Self { path: name, length: bytes.len() as u64, bytes: Bytes::Memory(bytes) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// An error unless the file has these bytes, as far as its length tells.
    pub(crate) fn check_range(&self, offset: u64, size: u64) -> Result<()> {
        match offset.checked_add(size) {
            Some(end) if end <= self.length => Ok(()),
            _ => Err(damaged(
                &self.path,
                format_args!("{size} bytes at {offset} are needed, the file has {} bytes in all", self.length),
            )),
        }
    }

    /// Fills `buffer` with the bytes from `offset` on.
    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<()> {
        match &self.bytes {
            Bytes::Disk(disk) => disk
                .read_exact_at(buffer, offset)
                .map_err(|error| file_error("read checkpoint file", &self.path, &error)),
            Bytes::Memory(bytes) => {
                self.check_range(offset, buffer.len() as u64)?;
                buffer.copy_from_slice(&bytes[offset as usize..][..buffer.len()]);
                Ok(())
            }
        }
    }
}
