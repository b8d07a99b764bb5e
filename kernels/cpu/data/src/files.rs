//! The records of files.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_cpu_state::reader::source::{Compression, Source};
use oplink_ops::data::{
    FixedLengthRecordDataset, FixedLengthRecordDatasetV2, TFRecordDataset, TFRecordDatasetV2, TextLineDataset,
};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::position::{PositionReader, PositionWriter};

/// What the records of a file are.
#[derive(Clone, Copy)]
enum Format {
    /// Lines.
    Lines,
    /// Records with lengths and checksums.
    Records,
    /// Records of one length, with bytes before and after all of them.
    Fixed { header: u64, record: u64, footer: u64 },
}

impl Format {
    /// How the files are compressed.
    fn compression(self, name: &str) -> Result<Compression> {
        if matches!(self, Self::Records) { Compression::of_records(name) } else { Compression::new(name) }
    }
}

/// Files with records.
struct Files {
    names: Vec<TString>,
    /// Where the first record of each file is; at the start where there are none.
    offsets: Vec<u64>,
    compression: Compression,
    format: Format,
}

struct Records(Arc<Files>);

struct RecordIterator {
    files: Arc<Files>,
    /// Number of the file that is read, or of the next one.
    file: usize,
    /// Records of it that were given.
    given: u64,
    open: Option<Open>,
}

/// A file that is read.
struct Open {
    source: Source,
    position: u64,
    /// Bytes that were read but are part of a later record or of the footer.
    ahead: Vec<u8>,
}

impl Dataset for Records {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn may_read_files(&self) -> bool {
        true
    }

    fn cardinality(&self) -> Cardinality {
        if self.0.names.is_empty() { Cardinality::Known(0) } else { Cardinality::Unknown }
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(RecordIterator { files: self.0.clone(), file: 0, given: 0, open: None }))
    }
}

impl Files {
    fn open(&self, file: usize) -> Result<Open> {
        let (name, position) = (&self.names[file], self.offsets.get(file).copied().unwrap_or(0));
        let mut source = Source::open(name, self.compression)?;
        let skipped = match self.format {
            Format::Fixed { header, record, footer } => {
                if self.compression == Compression::None {
                    check_length(&source, [header, record, footer])?;
                }
                header
            }
            _ => position,
        };
        if !source.skip(skipped)? {
            return Err(source.damaged(format_args!("it ends within its first {skipped} bytes")));
        }
        Ok(Open { source, position, ahead: Vec::new() })
    }
}

/// Checks that a file has a whole number of records.
fn check_length(source: &Source, [header, record, footer]: [u64; 3]) -> Result<()> {
    let length = source.file_length()?;
    let body = length.checked_sub(header.saturating_add(footer));
    if body.is_some_and(|body| body % record == 0) {
        return Ok(());
    }
    bail!(
        "file {} has {length} bytes, which are not {header} of header, {footer} of footer and a whole number of records \
         of {record} bytes",
        source.path().display()
    )
}

impl Open {
    fn next(&mut self, format: Format) -> Result<Option<Vec<u8>>> {
        match format {
            Format::Lines => self.source.line(),
            Format::Records => self.source.record(&mut self.position),
            Format::Fixed { record, footer, .. } => {
                let wanted = record.saturating_add(footer);
                self.source.read(wanted.saturating_sub(self.ahead.len() as u64), &mut self.ahead)?;
                if (self.ahead.len() as u64) < wanted {
                    let rest = self.ahead.len() as u64;
                    let whole = rest == footer;
                    ensure!(whole, "file {} ends within a record of {record} bytes", self.source.path().display());
                    return Ok(None);
                }
                let after = self.ahead.split_off(record as usize);
                Ok(Some(std::mem::replace(&mut self.ahead, after)))
            }
        }
    }
}

impl DatasetIterator for RecordIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while self.file < self.files.names.len() {
            run.check()?;
            let next = match &mut self.open {
                Some(open) => open.next(self.files.format),
                none => self.files.open(self.file).and_then(|open| none.insert(open).next(self.files.format)),
            };
            match next {
                Ok(Some(record)) => {
                    self.given += 1;
                    return Ok(Some(vec![Tensor::scalar(TString::new(record))]));
                }
                Ok(None) => self.end_of_file(),
                // What comes after damage cannot be told; the next call goes on with the next file.
                Err(error) => {
                    self.end_of_file();
                    return Err(error);
                }
            }
        }
        Ok(None)
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.file as i64);
        to.put(self.given as i64);
        Ok(())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        let (file, given) = (from.count()?, from.count()?);
        self.file = usize::try_from(file).unwrap_or(usize::MAX);
        while self.given < given && self.next(run)?.is_some() {}
        Ok(())
    }
}

impl RecordIterator {
    fn end_of_file(&mut self) {
        (self.open, self.given) = (None, 0);
        self.file += 1;
    }
}

fn records(
    env: &Env<'_>,
    filenames: &Tensor,
    offsets: &[i64],
    compression: &str,
    buffer_size: i64,
    format: Format,
) -> Result<DatasetHandle> {
    ensure!(filenames.rank() <= 1, "filenames must be a scalar or a vector, it has shape {}", filenames.shape());
    // Records take -1 too, which leaves the size open.
    let least = if matches!(format, Format::Records) { -1 } else { 0 };
    ensure!(buffer_size >= least, "buffer_size must be at least {least}, it is {buffer_size}");
    let names = filenames.as_slice::<TString>()?.to_vec();
    let (files, given) = (names.len(), offsets.len());
    ensure!(given == 0 || given == files, "there are {given} byte_offsets for {files} files");
    let offset = |&offset: &i64| {
        let error = || Error::invalid_argument(format!("byte_offsets must not be negative, there is {offset}"));
        u64::try_from(offset).map_err(|_| error())
    };
    let offsets = offsets.iter().map(offset).collect::<Result<_>>()?;
    let files = Files { names, offsets, compression: format.compression(compression)?, format };
    let records = Records(Arc::new(files));
    DatasetHandle::new(env, &[DType::String], &[PartialShape::scalar()], records)
}

/// `TextLineDataset`.
#[kernel(TextLineDataset, device = CPU)]
pub fn text_line_dataset_cpu(
    filenames: &Tensor,
    compression_type: &str,
    buffer_size: i64,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    records(&env, filenames, &[], compression_type, buffer_size, Format::Lines)
}

/// `TFRecordDataset`.
#[kernel(TFRecordDataset, device = CPU)]
pub fn tf_record_dataset_cpu(
    filenames: &Tensor,
    compression_type: &str,
    buffer_size: i64,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    records(&env, filenames, &[], compression_type, buffer_size, Format::Records)
}

/// `TFRecordDatasetV2`.
#[kernel(TFRecordDatasetV2, device = CPU)]
pub fn tf_record_dataset_v2_cpu(
    filenames: &Tensor,
    compression_type: &str,
    buffer_size: i64,
    byte_offsets: &Tensor,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    records(&env, filenames, byte_offsets.as_slice()?, compression_type, buffer_size, Format::Records)
}

fn fixed(header_bytes: i64, record_bytes: i64, footer_bytes: i64) -> Result<Format> {
    let bytes = |name: &str, bytes: i64| {
        let error = || Error::invalid_argument(format!("{name} must not be negative, it is {bytes}"));
        u64::try_from(bytes).map_err(|_| error())
    };
    ensure!(record_bytes > 0, "record_bytes must be greater than 0, it is {record_bytes}");
    let (header, footer) = (bytes("header_bytes", header_bytes)?, bytes("footer_bytes", footer_bytes)?);
    Ok(Format::Fixed { header, record: record_bytes as u64, footer })
}

/// `FixedLengthRecordDataset`.
#[kernel(FixedLengthRecordDataset, device = CPU)]
pub fn fixed_length_record_dataset_cpu(
    filenames: &Tensor,
    header_bytes: i64,
    record_bytes: i64,
    footer_bytes: i64,
    buffer_size: i64,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    records(&env, filenames, &[], "", buffer_size, fixed(header_bytes, record_bytes, footer_bytes)?)
}

/// `FixedLengthRecordDatasetV2`.
#[kernel(FixedLengthRecordDatasetV2, device = CPU)]
pub fn fixed_length_record_dataset_v2_cpu(
    filenames: &Tensor,
    header_bytes: i64,
    record_bytes: i64,
    footer_bytes: i64,
    buffer_size: i64,
    compression_type: &str,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let format = fixed(header_bytes, record_bytes, footer_bytes)?;
    records(&env, filenames, &[], compression_type, buffer_size, format)
}
