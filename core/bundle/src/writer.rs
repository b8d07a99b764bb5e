//! `BundleWriter`: saving tensors under names.

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::io::Write;
use std::path::{Path, PathBuf};

use oplink_api::spec::wire::put_varint;
use oplink_api::{DType, Result, ResultExt, Shape, TString, Tensor, bail, ensure};

use crate::TensorSlice;
use crate::checksum::mask;
use crate::error::shown;
use crate::key::slice_key;
use crate::message::{Entry, Header};
use crate::naming::{data_path, index_path};
use crate::replace::{Move, NewFile, create_directory, replace_all};
use crate::table::TableWriter;
use crate::values::{append_length, check_dtype};

/// A checkpoint that is being written, with one data file.
///
/// Nothing is seen under its names before [`Self::finish`]; a writer that is dropped leaves an older checkpoint of the
/// same prefix as it was, and no files of its own.
#[derive(Debug)]
pub struct BundleWriter {
    prefix: PathBuf,
    data: NewFile,
    position: u64,
    entries: BTreeMap<Vec<u8>, Entry>,
    /// Whether adding a tensor failed.
    failed: bool,
}

impl BundleWriter {
    /// Starts a checkpoint whose files are `<prefix>.index` and `<prefix>.data-00000-of-00001`. The last component of
    /// their directory is made where it is missing.
    ///
    /// # Errors
    /// The directory or the data file cannot be made.
    pub fn new(prefix: impl AsRef<Path>) -> Result<Self> {
        let prefix = prefix.as_ref();
        create_directory(prefix)?;
        let data = NewFile::create(data_path(prefix, 0, 1))?;
        Ok(Self { prefix: prefix.to_owned(), data, position: 0, entries: BTreeMap::new(), failed: false })
    }

    /// Adds a tensor of any dtype but resource and variant. A name can be given once and is not empty.
    ///
    /// # Errors
    /// The dtype cannot be stored, the name is empty or given already, or the file cannot be written.
    pub fn add(&mut self, name: impl AsRef<[u8]>, tensor: &Tensor) -> Result<()> {
        let name = name.as_ref();
        let added = self.check(name, tensor).and_then(|()| self.add_entry(name.to_vec(), tensor));
        self.note(name, added)
    }

    /// Adds a part of a tensor of the shape `full_shape`. The parts of one tensor may come in any order, in one bundle
    /// or in several that are merged; they must not overlap.
    ///
    /// # Errors
    /// As [`Self::add`], and where the part overlaps another or does not fit the shape.
    pub fn add_slice(
        &mut self,
        name: impl AsRef<[u8]>,
        full_shape: &Shape,
        slice: &TensorSlice,
        tensor: &Tensor,
    ) -> Result<()> {
        let name = name.as_ref();
        let added = self.check(name, tensor).and_then(|()| self.add_part(name, full_shape, slice, tensor));
        self.note(name, added)
    }

    /// Adds what a tensor's name and the bundle have to do with an error, after which the bundle cannot be completed.
    fn note(&mut self, name: &[u8], added: Result<()>) -> Result<()> {
        self.failed |= added.is_err();
        added.context_with(|| format!("saving tensor `{}` in checkpoint {}", shown(name), self.prefix.display()))
    }

    fn check(&self, name: &[u8], tensor: &Tensor) -> Result<()> {
        ensure!(!self.failed, "an earlier tensor could not be saved, start the checkpoint again");
        ensure!(!name.is_empty(), "a tensor's name must not be empty");
        check_dtype(tensor.dtype())
    }

    fn add_part(&mut self, name: &[u8], full_shape: &Shape, slice: &TensorSlice, tensor: &Tensor) -> Result<()> {
        let shape = slice.shape_in(full_shape)?;
        let given = tensor.shape();
        ensure!(shape == *given, "the slice {slice} of {full_shape} has the shape {shape}, the tensor {given}");
        if shape == *full_shape {
            return self.add_entry(name.to_vec(), tensor);
        }
        self.add_to_full(name, full_shape, slice, tensor.dtype())?;
        self.add_entry(slice_key(name, slice), tensor)
    }

    /// Notes a slice in the entry of the full tensor.
    fn add_to_full(&mut self, name: &[u8], shape: &Shape, slice: &TensorSlice, dtype: DType) -> Result<()> {
        let whole = self.entries.get(name).is_some_and(|entry| entry.slices.is_empty());
        ensure!(!whole, "the tensor was already saved whole");
        let full = self.entries.entry(name.to_vec()).or_insert_with(|| Entry::new(dtype, shape.clone()));
        ensure!(
            full.dtype == dtype && full.shape == *shape,
            "the slice is of a {dtype} of shape {shape}, others are of a {} of shape {}",
            full.dtype,
            full.shape
        );
        full.slices.push(slice.clone());
        Ok(())
    }

    /// Writes a tensor's data and its entry.
    fn add_entry(&mut self, key: Vec<u8>, tensor: &Tensor) -> Result<()> {
        let btree_map::Entry::Vacant(slot) = self.entries.entry(key) else {
            bail!("the name or the slice is given twice; each must be unique")
        };
        let written = match tensor.dtype() {
            DType::String => write_strings(&mut self.data, tensor.as_slice()?),
            _ => write_bytes(&mut self.data, tensor.as_bytes()?),
        };
        let (size, checksum) = written.map_err(|error| self.data.error(&error))?;
        let entry = Entry::new(tensor.dtype(), tensor.shape().clone());
        slot.insert(Entry { offset: self.position, size, checksum: mask(checksum), ..entry });
        self.position += size;
        Ok(())
    }

    /// Completes the checkpoint. Its files replace those of an older checkpoint of the same prefix, both or none: an
    /// error leaves the older one as it was.
    ///
    /// # Errors
    /// A file cannot be written, or an addition failed before.
    pub fn finish(self) -> Result<()> {
        let prefix = self.prefix.display();
        ensure!(!self.failed, "checkpoint {prefix} is not complete: a tensor could not be saved");
        let data = self.data.complete()?;
        let index = write_index(index_path(&self.prefix), &Header::new(1), &self.entries)?;
        replace_all(Vec::new(), vec![data, index])
    }
}

/// Writes an index file, not yet under its name.
pub(crate) fn write_index(path: PathBuf, header: &Header, entries: &BTreeMap<Vec<u8>, Entry>) -> Result<Move> {
    let mut file = NewFile::create(path)?;
    let mut table = TableWriter::new(&mut file);
    let mut written = table.add(b"", &header.encode());
    for (key, entry) in entries {
        written = written.and_then(|()| table.add(key, &entry.encode()));
    }
    let written = written.and_then(|()| table.finish().map(drop));
    written.map_err(|error| file.error(&error))?;
    file.complete()
}

/// Writes a tensor's bytes; returns their number and checksum.
fn write_bytes(out: &mut NewFile, bytes: &[u8]) -> std::io::Result<(u64, u32)> {
    let mut checksum = 0;
    for piece in bytes.chunks(PIECE) {
        checksum = crc32c::crc32c_append(checksum, piece);
        out.write_all(piece)?;
    }
    Ok((bytes.len() as u64, checksum))
}

/// Bytes that are checksummed and written at a time, so that the second finds them in the cache.
const PIECE: usize = 1 << 20;

/// Writes strings: their lengths as varints, a checksum of the lengths as words, the bytes one after another. The
/// checksum returned covers the words, not the varints.
fn write_strings(out: &mut NewFile, strings: &[TString]) -> std::io::Result<(u64, u32)> {
    let (mut lengths, mut checksum) = (Vec::with_capacity(strings.len() + 4), 0);
    for string in strings {
        let length = string.as_bytes().len() as u64;
        put_varint(&mut lengths, length);
        checksum = append_length(checksum, length);
    }
    let word = mask(checksum).to_le_bytes();
    lengths.extend(word);
    checksum = crc32c::crc32c_append(checksum, &word);
    out.write_all(&lengths)?;
    let mut size = lengths.len() as u64;
    for string in strings {
        checksum = crc32c::crc32c_append(checksum, string.as_bytes());
        out.write_all(string.as_bytes())?;
        size += string.as_bytes().len() as u64;
    }
    Ok((size, checksum))
}
