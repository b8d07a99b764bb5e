//! A file that several threads read by position.

use std::fs::{File, Metadata};
use std::io;

/// A file that is read by position.
#[derive(Debug)]
pub struct PositionedFile(Inner);

#[cfg(unix)]
type Inner = File;

/// A file whose cursor several threads share.
#[cfg(not(unix))]
type Inner = std::sync::Mutex<File>;

#[cfg(unix)]
impl PositionedFile {
    /// Of an open file.
    pub fn new(file: File) -> Self {
        Self(file)
    }

    /// What the system tells of the file now.
    ///
    /// # Errors
    /// The system's.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.0.metadata()
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// The system's, and `UnexpectedEof` where the file ends before.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, buffer, offset)
    }
}

#[cfg(not(unix))]
impl PositionedFile {
    /// Of an open file.
    pub fn new(file: File) -> Self {
        Self(std::sync::Mutex::new(file))
    }

    /// What the system tells of the file now.
    ///
    /// # Errors
    /// The system's.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).metadata()
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// The system's, and `UnexpectedEof` where the file ends before.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}
