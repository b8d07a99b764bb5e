//! A new file whose bytes are compressed as a name says.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression as Level;
use flate2::write::{GzEncoder, ZlibEncoder};
use oplink::memory::try_reserve;
use oplink::prelude::*;
use oplink_bundle::{file_error, snappy_compress};
use oplink_cpu_state::reader::source::Compression;

/// Bytes of a block that Snappy compresses; TensorFlow's readers have memory for as many.
const SNAPPY_BLOCK: usize = 1 << 18;

/// The file, and how its bytes are compressed.
pub(crate) enum CompressedFile {
    Plain(BufWriter<File>),
    Zlib(ZlibEncoder<BufWriter<File>>),
    Gzip(GzEncoder<BufWriter<File>>),
    /// Bytes that are not compressed yet, and the file.
    Snappy(Vec<u8>, BufWriter<File>),
}

impl CompressedFile {
    /// A file of this name, in place of an older one.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn create(path: &Path, compression: Compression) -> Result<Self> {
        let file = File::create(path).map_err(|error| file_error("create", path, &error))?;
        Ok(Self::new(file, compression))
    }

    /// The end of the file of this name, which is made where there is none.
    ///
    /// # Errors
    /// It cannot be opened.
    pub(crate) fn append(path: &Path, compression: Compression) -> Result<Self> {
        let file = File::options().append(true).create(true).open(path);
        Ok(Self::new(file.map_err(|error| file_error("open", path, &error))?, compression))
    }

    fn new(file: File, compression: Compression) -> Self {
        let file = BufWriter::new(file);
        match compression {
            Compression::None => Self::Plain(file),
            Compression::Zlib => Self::Zlib(ZlibEncoder::new(file, Level::default())),
            Compression::Gzip => Self::Gzip(GzEncoder::new(file, Level::default())),
            Compression::Snappy => Self::Snappy(Vec::new(), file),
        }
    }

    /// Writes what is not written yet.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(self) -> io::Result<()> {
        let mut file = match self {
            Self::Plain(file) => file,
            Self::Zlib(file) => file.finish()?,
            Self::Gzip(file) => file.finish()?,
            Self::Snappy(waiting, mut file) => {
                write_blocks(&mut file, &waiting)?;
                file
            }
        };
        file.flush()
    }
}

impl Write for CompressedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.write(bytes),
            Self::Zlib(file) => file.write(bytes),
            Self::Gzip(file) => file.write(bytes),
            Self::Snappy(waiting, file) => {
                try_reserve(waiting, bytes.len()).map_err(io::Error::other)?;
                waiting.extend_from_slice(bytes);
                if waiting.len() >= SNAPPY_BLOCK {
                    write_blocks(file, waiting)?;
                    waiting.clear();
                }
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.flush(),
            Self::Zlib(file) => file.flush(),
            Self::Gzip(file) => file.flush(),
            Self::Snappy(waiting, file) => {
                write_blocks(file, waiting)?;
                waiting.clear();
                file.flush()
            }
        }
    }
}

/// Writes bytes as blocks, each after its length.
fn write_blocks(file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    bytes.chunks(SNAPPY_BLOCK).try_for_each(|block| {
        let packed = snappy_compress(block)?;
        file.write_all(&(packed.len() as u32).to_be_bytes())?;
        file.write_all(&packed)
    })
}
