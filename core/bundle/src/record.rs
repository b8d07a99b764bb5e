//! Records of TensorFlow's files (TFRecord), and files of events, which are such records.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use oplink_api::Result;

use crate::checksum::masked_crc32c;
use crate::error::file_error;

/// Appends a record: a length and bytes, each with a checksum.
///
/// # Errors
/// The file cannot be written.
pub fn write_record(file: &mut impl Write, record: &[u8]) -> io::Result<()> {
    let length = (record.len() as u64).to_le_bytes();
    file.write_all(&length)?;
    file.write_all(&masked_crc32c(&length).to_le_bytes())?;
    file.write_all(record)?;
    file.write_all(&masked_crc32c(record).to_le_bytes())
}

/// Seconds since 1970, as events have them.
pub fn wall_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// A file of `Event` messages, which TensorBoard finds by its name.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl EventFile {
    /// A new file in a folder, which is made where there is none. Its name ends in `suffix`; its first record tells the
    /// version of the format.
    ///
    /// # Errors
    /// The folder or the file cannot be made.
    pub fn create(folder: &Path, suffix: &str) -> Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        std::fs::create_dir_all(folder).map_err(|error| file_error("create directory", folder, &error))?;
        let (now, process) = (wall_time(), std::process::id());
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("events.out.tfevents.{:010}.oplink.{process}.{number}{suffix}", now as u64);
        let path = folder.join(name);
        let file = File::create_new(&path).map_err(|error| file_error("create", &path, &error))?;
        let mut made = Self { path, file: BufWriter::new(file) };
        made.write(&[b"\x09", &now.to_le_bytes()[..], b"\x1a\x0dbrain.Event:2"].concat())?;
        made.flush()?;
        Ok(made)
    }

    /// Adds an event.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, event: &[u8]) -> Result<()> {
        write_record(&mut self.file, event).map_err(|error| file_error("write", &self.path, &error))
    }

    /// Writes what is still in memory.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        self.file.flush().map_err(|error| file_error("write", &self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_bytes_of_tensorflow() {
        let mut bytes = Vec::new();
        write_record(&mut bytes, b"abc").unwrap();
        assert_eq!(bytes[..8], [3, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(bytes[12..15], *b"abc");
        assert_eq!(bytes[15..], masked_crc32c(b"abc").to_le_bytes());
    }
}
