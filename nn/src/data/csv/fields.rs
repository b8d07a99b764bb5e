//! Records of a file and their fields.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use oplink_api::{Error, Result, bail};
use oplink_bundle::file_error;

/// Where a record lies in its file: its first byte and its length, and the number of its first line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: u64,
    length: u32,
    line: u32,
}

/// The file, for reading.
pub(super) fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| file_error("read", path, &error))
}

/// The bytes of a record, no longer than the file was when its records were found.
pub(super) fn read(file: &mut File, path: &Path, record: Span) -> Result<Vec<u8>> {
    let mut bytes = vec![0; record.length as usize];
    let read = file.seek(SeekFrom::Start(record.start)).and_then(|_| file.read_exact(&mut bytes));
    read.map_err(|error| file_error("read", path, &error))?;
    Ok(bytes)
}

/// Where the records of a file lie: lines, but for those whose ends stand in quotes. Empty lines are none.
pub(super) fn spans(path: &Path) -> Result<Vec<Span>> {
    let mut reader = BufReader::new(open(path)?);
    let (mut spans, mut record, mut at, mut line) = (Vec::new(), None::<Span>, 0u64, 0u32);
    let (mut bytes, mut is_quoted) = (Vec::new(), false);
    loop {
        bytes.clear();
        let count = reader.read_until(b'\n', &mut bytes).map_err(|error| file_error("read", path, &error))?;
        if count == 0 {
            break;
        }
        line = line.saturating_add(1);
        is_quoted = bytes.iter().fold(is_quoted, |is_quoted, &byte| is_quoted ^ (byte == b'"'));
        let begun = record.unwrap_or(Span { start: at, length: 0, line });
        let Ok(length) = u32::try_from(u64::from(begun.length) + count as u64) else {
            bail!("{}, line {}: a record of more than 4 GiB", path.display(), begun.line)
        };
        at += count as u64;
        let begun = Span { length, ..begun };
        record = is_quoted.then_some(begun);
        let is_empty = begun.line == line && bytes.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
        if !is_quoted && !is_empty {
            spans.push(begun);
        }
    }
    match record {
        Some(record) => Err(wrong(path, record, "a field begins with a quote that has no end")),
        None => Ok(spans),
    }
}

/// The fields of a record.
pub(super) fn fields(record: &[u8], delimiter: u8) -> Result<Vec<String>, String> {
    let record = record.strip_suffix(b"\n").unwrap_or(record);
    let record = record.strip_suffix(b"\r").unwrap_or(record);
    let (mut fields, mut field, mut at, mut is_quoted) = (Vec::new(), Vec::new(), 0, false);
    while let Some(&byte) = record.get(at) {
        at += 1;
        match byte {
            b'"' if is_quoted && record.get(at) == Some(&b'"') => {
                field.push(byte);
                at += 1;
            }
            b'"' => is_quoted = !is_quoted,
            byte if byte == delimiter && !is_quoted => fields.push(std::mem::take(&mut field)),
            byte => field.push(byte),
        }
    }
    fields.push(field);
    let text = |(column, field)| String::from_utf8(field).map_err(|_| format!("field {column} is no UTF-8"));
    fields.into_iter().enumerate().map(text).collect()
}

/// An error that names the file and the record's first line.
#[cold]
pub(super) fn wrong(path: &Path, record: Span, what: &str) -> Error {
    Error::invalid_argument(format!("{}, line {}: {what}", path.display(), record.line))
}
