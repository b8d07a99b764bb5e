//! The bytes of a file, from front to back: as they are, in lines, in records with checksums.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use oplink::memory::try_reserve;
use oplink::prelude::*;
use oplink_bundle::{file_error, masked_crc32c, snappy_expand};
use oplink_cpu_support::paths::path;

/// Bytes that are asked for at once, whatever a file says of itself.
const BLOCK: usize = 1 << 20;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not.
    None,
    /// By zlib.
    Zlib,
    /// By gzip.
    Gzip,
    /// By Snappy: blocks, each after its length.
    Snappy,
}

impl Compression {
    /// That of an attr.
    ///
    /// # Errors
    /// There is no such compression.
    pub fn new(name: &str) -> Result<Self> {
        match name {
            "" => Ok(Self::None),
            "ZLIB" => Ok(Self::Zlib),
            "GZIP" => Ok(Self::Gzip),
            other => bail!("the compression must be empty, ZLIB or GZIP, it is `{other}`"),
        }
    }

    /// That of an attr of files of records.
    ///
    /// # Errors
    /// There is no such compression.
    pub fn of_records(name: &str) -> Result<Self> {
        match name {
            "SNAPPY" => Ok(Self::Snappy),
            other => Self::new(other).map_err(|_| {
                Error::invalid_argument(format!("the compression must be empty, ZLIB, GZIP or SNAPPY, it is `{other}`"))
            }),
        }
    }
}

/// A file that is being read.
pub struct Source {
    bytes: Box<dyn BufRead + Send>,
    path: PathBuf,
}

impl Source {
    /// Opens the file of this name.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(name: &TString, compression: Compression) -> Result<Self> {
        Self::open_path(path(name.as_bytes())?, compression)
    }

    /// Opens the file of this path.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open_path(path: PathBuf, compression: Compression) -> Result<Self> {
        let file = File::open(&path).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(BufReader::new(file)),
        });
        let file = file.map_err(|error| file_error("open", &path, &error))?;
        let bytes: Box<dyn BufRead + Send> = match compression {
            Compression::None => Box::new(file),
            Compression::Zlib => Box::new(BufReader::new(ZlibDecoder::new(file))),
            Compression::Gzip => Box::new(BufReader::new(MultiGzDecoder::new(file))),
            Compression::Snappy => Box::new(SnappyBlocks { from: file, block: Vec::new(), given: 0 }),
        };
        Ok(Self { bytes, path })
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file as it is stored.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn file_length(&self) -> Result<u64> {
        let metadata = std::fs::metadata(&self.path).map_err(|error| file_error("read", &self.path, &error))?;
        Ok(metadata.len())
    }

    /// Appends the next `count` bytes to `out`; fewer where the file ends before.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn read(&mut self, count: u64, out: &mut Vec<u8>) -> Result<()> {
        let mut rest = count;
        while rest > 0 {
            let block = rest.min(BLOCK as u64);
            let room = (block as usize).max(out.len() / 2).min(usize::try_from(rest).unwrap_or(usize::MAX));
            try_reserve(out, room)?;
            let read = self.bytes.by_ref().take(block).read_to_end(out).map_err(|error| self.failed(&error))?;
            if read == 0 {
                break;
            }
            rest -= read as u64;
        }
        Ok(())
    }

    /// Leaves out the next `count` bytes; whether there were so many.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn skip(&mut self, count: u64) -> Result<bool> {
        let skipped = io::copy(&mut self.bytes.by_ref().take(count), &mut io::sink());
        Ok(skipped.map_err(|error| self.failed(&error))? == count)
    }

    /// The next line without its end, which is `\n` or `\r\n`; `None` at the end of the file, before which a single
    /// `\r` is no line.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn line(&mut self) -> Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            let room = line.len().clamp(64, BLOCK);
            try_reserve(&mut line, room)?;
            let read = self.bytes.by_ref().take(BLOCK as u64).read_until(b'\n', &mut line);
            let ended = read.map_err(|error| self.failed(&error))? == 0;
            let has_end = line.last() == Some(&b'\n');
            if has_end || ended {
                line.truncate(line.len() - usize::from(has_end));
                line.truncate(line.len() - usize::from(line.last() == Some(&b'\r')));
                return Ok((has_end || !line.is_empty()).then_some(line));
            }
        }
    }

    /// The record with checksums at a position, which moves behind it; `None` at the end, which may lie within the 12
    /// bytes before a record.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn record(&mut self, position: &mut u64) -> Result<Option<Vec<u8>>> {
        let Some(header) = self.checked(8, *position)? else { return Ok(None) };
        let length = header.try_into().map_or(0, u64::from_le_bytes);
        let Some(record) = self.checked(length, *position)? else {
            return Err(self.damaged(format_args!("it ends within the record at {position}")));
        };
        *position = position.saturating_add(length).saturating_add(16);
        Ok(Some(record))
    }

    /// The next `count` bytes, which their checksum follows; `None` where the file ends before.
    fn checked(&mut self, count: u64, position: u64) -> Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let whole = count.saturating_add(4);
        self.read(whole, &mut bytes)?;
        if bytes.len() as u64 != whole {
            return Ok(None);
        }
        let checksum = bytes.split_off(bytes.len() - 4);
        if checksum != masked_crc32c(&bytes).to_le_bytes() {
            return Err(self.damaged(format_args!("the checksum of the record at {position} does not fit")));
        }
        Ok(Some(bytes))
    }

    #[cold]
    fn failed(&self, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                self.damaged(format_args!("its compressed bytes are not whole: {error}"))
            }
            _ => file_error("read", &self.path, error),
        }
    }

    /// The error of a file whose contents are not what its format demands.
    #[cold]
    pub fn damaged(&self, why: impl std::fmt::Display) -> Error {
        let message = format!("file {} is damaged or incomplete: {why}", self.path.display());
        Error::new(Code::DataLoss, ErrorKind::Io, message)
    }
}

/// Expands blocks, each of which follows its length.
struct SnappyBlocks<R> {
    from: R,
    block: Vec<u8>,
    /// Bytes of the block that were given.
    given: usize,
}

impl<R: BufRead> BufRead for SnappyBlocks<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.given == self.block.len() && !self.from.fill_buf()?.is_empty() {
            let mut length = [0; 4];
            self.from.read_exact(&mut length)?;
            let length = u64::from(u32::from_be_bytes(length));
            let mut packed = Vec::new();
            while (packed.len() as u64) < length {
                let block = (length - packed.len() as u64).min(BLOCK as u64);
                try_reserve(&mut packed, block as usize).map_err(io::Error::other)?;
                if self.from.by_ref().take(block).read_to_end(&mut packed)? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            (self.block, self.given) = (snappy_expand(&packed)?, 0);
        }
        Ok(&self.block[self.given..])
    }

    fn consume(&mut self, count: usize) {
        self.given = self.block.len().min(self.given.saturating_add(count));
    }
}

impl<R: BufRead> Read for SnappyBlocks<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// The error of every op on LMDB databases.
pub fn lmdb_is_removed() -> Error {
    Error::unimplemented(
        "LMDB support is removed, as in TensorFlow; write the entries to files of records, and read those",
    )
}
