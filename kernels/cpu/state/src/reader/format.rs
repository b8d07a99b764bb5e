//! What a reader makes of its units of work: the formats of files, and a file that is being read.

use oplink::prelude::*;

use super::source::{Compression, Source};

/// What a reader makes of the files of its units of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// The unit of work itself; no file is opened.
    Identity,
    /// The whole file.
    WholeFile,
    /// Lines, without the first of them.
    Lines { skipped: u64 },
    /// Records of one length.
    Fixed(Fixed),
    /// Records with lengths and checksums.
    Records { compression: Compression },
}

/// Where records of one length are in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fixed {
    /// Bytes before the first record.
    header: u64,
    /// Bytes of a record.
    record: u64,
    /// Bytes after the last record.
    footer: u64,
    /// Bytes from the start of a record to that of the next.
    hop: u64,
    compression: Compression,
}

impl Fixed {
    /// As the attrs tell.
    pub(super) fn new(header: i64, record: i64, footer: i64, hop: i64, encoding: &str) -> Result<Self> {
        let bytes = |name: &str, bytes: i64| {
            let error = || Error::invalid_argument(format!("{name} must not be negative, it is {bytes}"));
            u64::try_from(bytes).map_err(|_| error())
        };
        let (header, record) = (bytes("header_bytes", header)?, bytes("record_bytes", record)?);
        let (footer, hop) = (bytes("footer_bytes", footer)?, bytes("hop_bytes", hop)?);
        let hop = if hop == 0 { record } else { hop };
        Ok(Self { header, record, footer, hop, compression: Compression::new(encoding)? })
    }
}

/// A unit of work that is being read.
pub(super) struct Work {
    name: TString,
    at: At,
}

/// Where the next record is.
enum At {
    Name,
    File,
    /// After so many lines.
    Line(Source, u64),
    /// After so many records, with bytes that were read but are part of later records or of the footer.
    Record(Source, u64, Vec<u8>),
    /// The position of the next record; or the error that there is.
    Position(Source, u64, Option<Error>),
}

/// Key and value of a record.
pub(super) type Record = (TString, TString);

/// What came of looking for the next record.
pub(super) struct Next {
    pub(super) record: Option<Record>,
    /// Whether the unit of work is read to its end.
    pub(super) at_end: bool,
}

impl Next {
    fn record(key: TString, value: Vec<u8>) -> Self {
        Self { record: Some((key, TString::new(value))), at_end: false }
    }

    const END: Self = Self { record: None, at_end: true };
}

impl Format {
    /// Whether readers tell their states.
    pub(super) fn has_state(&self) -> bool {
        matches!(self, Self::Identity | Self::WholeFile)
    }

    /// Starts to read a unit of work.
    pub(super) fn open(&self, name: &TString) -> Result<Work> {
        let at = match self {
            Self::Identity => At::Name,
            Self::WholeFile => At::File,
            Self::Lines { skipped } => {
                let (mut source, mut lines) = (Source::open(name, Compression::None)?, 0);
                while lines < *skipped && source.line()?.is_some() {
                    lines += 1;
                }
                At::Line(source, lines)
            }
            Self::Fixed(fixed) => {
                let mut source = Source::open(name, fixed.compression)?;
                if !source.skip(fixed.header)? {
                    let message = format!("the file ends within the first {} bytes, its header", fixed.header);
                    return Err(Error::out_of_range(message));
                }
                At::Record(source, 0, Vec::new())
            }
            Self::Records { compression } => At::Position(Source::open(name, *compression)?, 0, None),
        };
        Ok(Work { name: name.clone(), at })
    }
}

impl Work {
    /// Reads the next record.
    pub(super) fn next(&mut self, format: &Format) -> Result<Next> {
        let key = |at: u64| TString::new([self.name.as_bytes(), format!(":{at}").as_bytes()].concat());
        match (&mut self.at, format) {
            (At::File, _) => {
                let (mut source, mut value) = (Source::open(&self.name, Compression::None)?, Vec::new());
                source.read(u64::MAX, &mut value)?;
                Ok(Next { at_end: true, ..Next::record(self.name.clone(), value) })
            }
            (At::Line(source, lines), _) => {
                let Some(line) = source.line()? else { return Ok(Next::END) };
                *lines += 1;
                Ok(Next::record(key(*lines), line))
            }
            (At::Record(source, count, ahead), Format::Fixed(fixed)) => {
                let Some(value) = next_fixed(source, fixed, *count, ahead)? else { return Ok(Next::END) };
                *count += 1;
                Ok(Next::record(key(*count - 1), value))
            }
            (At::Position(source, position, failed), _) => {
                if let Some(error) = failed {
                    return Err(error.clone());
                }
                let at = *position;
                match source.record(position).inspect_err(|error| *failed = Some(error.clone()))? {
                    Some(value) => Ok(Next::record(key(at), value)),
                    None => Ok(Next::END),
                }
            }
            _ => Ok(Next { record: Some((self.name.clone(), self.name.clone())), at_end: true }),
        }
    }
}

/// The record after `count` others of one length; `None` at the end.
fn next_fixed(source: &mut Source, fixed: &Fixed, count: u64, ahead: &mut Vec<u8>) -> Result<Option<Vec<u8>>> {
    if count > 0 {
        let dropped = (ahead.len() as u64).min(fixed.hop);
        ahead.drain(..dropped as usize);
        if !source.skip(fixed.hop - dropped)? {
            return Ok(None);
        }
    }
    let wanted = fixed.record.saturating_add(fixed.footer);
    source.read(wanted.saturating_sub(ahead.len() as u64), ahead)?;
    if (ahead.len() as u64) < wanted {
        return Ok(None);
    }
    Ok(Some(ahead[..fixed.record as usize].to_vec()))
}
