//! Where the records of TensorFlow's files (TFRecord) lie, and their bytes.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use oplink_api::memory::try_filled;
use oplink_api::{Code, Error, ErrorKind, Result};
use oplink_bundle::{file_error, masked_crc32c};

/// Bytes of a length and its checksum.
const HEADER: usize = 12;
/// Bytes of a checksum.
const FOOTER: u64 = 4;

/// Where a record lies in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u64,
    length: u64,
}

/// Where the records of a file lie. Their lengths are checked, their bytes are not read.
///
/// # Errors
/// The file cannot be read; a record's length is damaged, or the file ends in the record.
pub(super) fn spans(path: &Path) -> Result<Vec<Span>> {
    let wrong = |error: io::Error| file_error("read", path, &error);
    let file = File::open(path).map_err(wrong)?;
    let size = file.metadata().map_err(wrong)?.len();
    let (mut reader, mut spans, mut at) = (BufReader::new(file), Vec::new(), 0u64);
    while at < size {
        let number = spans.len();
        let mut header = [0; HEADER];
        match reader.read_exact(&mut header) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(ends(path, number, at)),
            read => read.map_err(wrong)?,
        }
        let (length, checksum) = header.split_at(8);
        if masked_crc32c(length).to_le_bytes() != *checksum {
            let hint = if number == 0 { ": is it compressed, or no TFRecord file?" } else { "" };
            return Err(damaged(path, number, at, &format!("the checksum of its length is wrong{hint}")));
        }
        let length = length.iter().rev().fold(0u64, |length, &byte| length << 8 | u64::from(byte));
        let start = at + HEADER as u64;
        let end = start.checked_add(length).and_then(|end| end.checked_add(FOOTER)).filter(|&end| end <= size);
        let end = end.ok_or_else(|| ends(path, number, at))?;
        reader.seek_relative((end - start) as i64).map_err(wrong)?;
        spans.push(Span { start, length });
        at = end;
    }
    Ok(spans)
}

/// The bytes of a record.
///
/// # Errors
/// The file cannot be read, the record is damaged, or there is no memory for it.
pub(super) fn read(file: &mut File, path: &Path, number: usize, span: Span) -> Result<Vec<u8>> {
    let wrong = |error: io::Error| file_error("read", path, &error);
    file.seek(SeekFrom::Start(span.start)).map_err(wrong)?;
    // No longer than the file was when its records were found, which may be more than there is memory for.
    let mut bytes = try_filled(0, span.length as usize)?;
    file.read_exact(&mut bytes).map_err(wrong)?;
    let mut checksum = [0; FOOTER as usize];
    file.read_exact(&mut checksum).map_err(wrong)?;
    if masked_crc32c(&bytes).to_le_bytes() != checksum {
        return Err(damaged(path, number, span.start - HEADER as u64, "the checksum of its bytes is wrong"));
    }
    Ok(bytes)
}

fn ends(path: &Path, number: usize, at: u64) -> Error {
    damaged(path, number, at, "the file ends inside it")
}

fn damaged(path: &Path, number: usize, at: u64, what: &str) -> Error {
    let message = format!("record {number} of {}, at byte {at}: {what}", path.display());
    Error::new(Code::DataLoss, ErrorKind::InvalidArgument, message)
}
