//! The elements of a file.
//!
//! Three forms are read. In version 2 each component is a record with checksums, a message `TensorProto`. In version 1
//! each element is a message `SnapshotRecord` after its length; with Snappy it is a message that tells the shapes, and
//! the bytes of all components, compressed. Version 0 is version 1 with the whole file compressed, also by Snappy.

use std::io::Write;
use std::path::{Path, PathBuf};

use oplink::prelude::*;
use oplink_bundle::{file_error, snappy_compress, snappy_expand, write_record};
use oplink_cpu_state::reader::source::{Compression, Source};
use oplink_cpu_support::wire::{
    Field, Message, Value, content_message, fields, from_content, parse_shape, read_tensor, shape_message,
};

use crate::compressed_file::CompressedFile;
use crate::dataset::Element;

/// The version of files that are records.
pub(super) const RECORDS: i64 = 2;

/// How the components of an element lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Each a record.
    Records,
    /// In one message, after its length.
    Messages,
    /// As their bytes, compressed, after what tells their shapes.
    Compressed,
}

impl Format {
    /// That of a version with a compression, and how the file as a whole is compressed. Names that stand for no
    /// compression stand for none.
    fn new(version: i64, compression: &str) -> Result<(Self, Compression)> {
        let named = Compression::of_records(compression).unwrap_or(Compression::None);
        let only = |wanted| if named == wanted { wanted } else { Compression::None };
        match (version, named) {
            (2, whole) => Ok((Self::Records, whole)),
            (1, Compression::Snappy) => Ok((Self::Compressed, Compression::None)),
            (0, Compression::Snappy) => Ok((Self::Messages, Compression::Snappy)),
            (0 | 1, _) => Ok((Self::Messages, only(Compression::Gzip))),
            _ => bail!("files of elements have the version 0, 1 or 2, not {version}"),
        }
    }
}

/// A file that is being read.
pub(super) struct ElementReader {
    source: Source,
    format: Format,
    /// Where the next record begins.
    position: u64,
    dtypes: Vec<DType>,
}

impl ElementReader {
    /// Opens a file of elements of these dtypes.
    ///
    /// # Errors
    /// It cannot be opened; the version is not known.
    pub(super) fn open(path: PathBuf, compression: &str, version: i64, dtypes: &[DType]) -> Result<Self> {
        let (format, whole) = Format::new(version, compression)?;
        Ok(Self { source: Source::open_path(path, whole)?, format, position: 0, dtypes: dtypes.to_vec() })
    }

    /// The next element; `None` at the end, which may lie within the last one.
    ///
    /// # Errors
    /// The file cannot be read, or has other contents.
    pub(super) fn next(&mut self) -> Result<Option<Element>> {
        match self.format {
            Format::Records => {
                let mut element = Element::new();
                for _ in 0..self.dtypes.len() {
                    let Some(record) = self.source.record(&mut self.position)? else { return Ok(None) };
                    element.push(self.tensor(&record)?);
                }
                Ok(Some(element))
            }
            Format::Messages => {
                let Some(message) = self.message()? else { return Ok(None) };
                let fields = fields(&message).map_err(|why| self.source.damaged(why))?;
                let tensors = fields.iter().filter_map(|field| match (field.number, field.value) {
                    (1, Value::Bytes(tensor)) => Some(self.tensor(tensor)),
                    _ => None,
                });
                tensors.collect::<Result<_>>().map(Some)
            }
            Format::Compressed => {
                let Some(shapes) = self.message()? else { return Ok(None) };
                let Some(packed) = self.message()? else { return Ok(None) };
                self.expand(&shapes, &packed).map(Some)
            }
        }
    }

    /// Leaves out so many elements.
    ///
    /// # Errors
    /// As [`next`](Self::next); `OutOfRange` where there are fewer.
    pub(super) fn skip(&mut self, count: u64) -> Result<()> {
        for _ in 0..count {
            if self.next()?.is_none() {
                let path = self.source.path().display();
                return Err(Error::out_of_range(format!("file {path} has fewer than {count} elements")));
            }
        }
        Ok(())
    }

    /// The next message after its length.
    fn message(&mut self) -> Result<Option<Vec<u8>>> {
        let mut length = Vec::new();
        self.source.read(8, &mut length)?;
        let Ok(length) = length.try_into().map(u64::from_le_bytes) else { return Ok(None) };
        let mut message = Vec::new();
        self.source.read(length, &mut message)?;
        Ok((message.len() as u64 == length).then_some(message))
    }

    fn tensor(&self, message: &[u8]) -> Result<Tensor> {
        read_tensor(message).map_err(|error| self.source.damaged(error))
    }

    /// The components of these shapes from their bytes.
    fn expand(&self, shapes: &[u8], packed: &[u8]) -> Result<Element> {
        let damaged = |why: &str| self.source.damaged(why);
        let bytes = snappy_expand(packed).map_err(|error| self.source.damaged(error))?;
        let all = fields(shapes).map_err(damaged)?;
        let (mut rest, mut element) = (&bytes[..], Element::new());
        let parts = all.iter().filter_map(|field| match (field.number, field.value) {
            (1, Value::Bytes(part)) => Some(part),
            _ => None,
        });
        for (&dtype, part) in self.dtypes.iter().zip(parts) {
            let part = fields(part).map_err(damaged)?;
            let shape = last(&part, 2).map_or(Ok(Shape::scalar()), parse_shape).map_err(damaged)?;
            let size = part.iter().rev().find_map(|field| match (field.number, field.value) {
                (3, Value::Varint(size)) => usize::try_from(size).ok(),
                _ => None,
            });
            let (own, after) = rest.split_at_checked(size.unwrap_or(0)).ok_or_else(|| damaged("it is too short"))?;
            rest = after;
            element.push(match dtype.size() {
                Some(_) => from_content(dtype, shape, own).map_err(|error| self.source.damaged(error))?,
                None => self.tensor(own)?,
            });
        }
        let whole = rest.is_empty() && element.len() == self.dtypes.len();
        whole.then_some(element).ok_or_else(|| damaged("an element has other components than are expected"))
    }
}

fn last<'a>(fields: &[Field<'a>], number: u64) -> Option<&'a [u8]> {
    fields.iter().rev().find_map(|field| match field.value {
        Value::Bytes(bytes) if field.number == number => Some(bytes),
        _ => None,
    })
}

/// A file that is being written.
pub(super) struct ElementWriter {
    file: CompressedFile,
    path: PathBuf,
    format: Format,
}

impl ElementWriter {
    /// A new file, in place of another one, or behind what another one has.
    ///
    /// # Errors
    /// It cannot be made; the version is not known.
    pub(super) fn create(path: PathBuf, compression: &str, version: i64, append: bool) -> Result<Self> {
        let (format, whole) = Format::new(version, compression)?;
        let file = if append { CompressedFile::append(&path, whole)? } else { CompressedFile::create(&path, whole)? };
        Ok(Self { file, path, format })
    }

    /// Appends an element.
    ///
    /// # Errors
    /// A component cannot be written to files, or the file not be written.
    pub(super) fn write(&mut self, element: &Element) -> Result<()> {
        let messages = || element.iter().map(content_message).collect::<Result<Vec<_>>>();
        let written = match self.format {
            Format::Records => messages()?.iter().try_for_each(|message| write_record(&mut self.file, message)),
            Format::Messages => {
                let record = messages()?.iter().fold(Message::default(), |record, tensor| record.bytes(1, tensor));
                self.append(&record.into_bytes())
            }
            Format::Compressed => {
                let (mut shapes, mut bytes) = (Message::default(), Vec::new());
                for tensor in element {
                    let before = bytes.len();
                    let own = if tensor.dtype().size().is_some() { None } else { Some(content_message(tensor)?) };
                    let content = match &own {
                        Some(message) => message,
                        None => tensor.as_bytes()?,
                    };
                    oplink::memory::try_reserve(&mut bytes, content.len())?;
                    bytes.extend_from_slice(content);
                    let size = (bytes.len() - before) as u64;
                    let part = Message::default().bytes(2, &shape_message(tensor.shape())).integer_unless_zero(3, size);
                    shapes = shapes.bytes(1, &part.into_bytes());
                }
                let packed = snappy_compress(&bytes);
                self.append(&shapes.into_bytes()).and(packed).and_then(|packed| self.append(&packed))
            }
        };
        written.map_err(|error| self.failed(&error))
    }

    fn append(&mut self, message: &[u8]) -> std::io::Result<()> {
        self.file.write_all(&(message.len() as u64).to_le_bytes())?;
        self.file.write_all(message)
    }

    /// Writes what is not written yet, and tells how many bytes the file has.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn sync(&mut self) -> Result<u64> {
        let length = self.file.flush().and_then(|()| std::fs::metadata(&self.path));
        Ok(length.map_err(|error| self.failed(&error))?.len())
    }

    /// Writes what is not written yet.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn finish(self) -> Result<()> {
        let Self { file, path, .. } = self;
        file.finish().map_err(|error| file_error("write", &path, &error))
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        file_error("write", &self.path, error)
    }
}

/// The name of the file of elements with this number.
pub(super) fn file_name(number: u64) -> String {
    format!("{number:08}.snapshot")
}

/// The files of elements of a folder that have a number, from one on.
pub(super) fn file_in(folder: &Path, number: u64) -> PathBuf {
    folder.join(file_name(number))
}
