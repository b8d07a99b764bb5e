//! `V1Reader`: the tensors of a checkpoint in the format before bundles.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use oplink_api::{Code, DType, Error, Result, ResultExt, Shape, Tensor};

use super::elements::decode;
use super::message::{decode_list, decode_piece};
use crate::TensorSlice;
use crate::coverage;
use crate::error::shown;
use crate::file::ReadFile;
use crate::key::slice_key;
use crate::reader::TensorInfo;
use crate::runs::Runs;
use crate::table::Table;
use crate::values::copy_runs;

/// An open checkpoint of one or several files. The lists of tensors are read when it is opened, elements when a tensor
/// is.
#[derive(Debug)]
pub struct V1Reader {
    files: Vec<Table>,
    tensors: BTreeMap<Vec<u8>, Stored>,
}

/// A tensor: what it is, and in which file each slice is.
#[derive(Debug)]
struct Stored {
    dtype: DType,
    shape: Shape,
    slices: Vec<TensorSlice>,
    files: Vec<usize>,
}

impl V1Reader {
    /// Opens a checkpoint that consists of these files.
    ///
    /// # Errors
    /// `NotFound` where one is missing, `DataLoss` where one is damaged or not of this format.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Self> {
        let mut reader = Self { files: Vec::new(), tensors: BTreeMap::new() };
        for path in paths {
            reader.add(Table::open(ReadFile::open(path.as_ref().to_owned())?)?)?;
        }
        Ok(reader)
    }

    /// Of a file that was read. `name` stands in messages.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_memory(name: &str, bytes: Vec<u8>) -> Result<Self> {
        let mut reader = Self { files: Vec::new(), tensors: BTreeMap::new() };
        reader.add(Table::open(ReadFile::from_memory(PathBuf::from(name), bytes))?)?;
        Ok(reader)
    }

    fn add(&mut self, table: Table) -> Result<()> {
        let list = table.get(b"")?.ok_or_else(|| table.damaged("it has no list of tensors"))?;
        let (tensors, version) = decode_list(&list).map_err(|why| table.damaged(why))?;
        version.check(table.file().path())?;
        for tensor in tensors {
            let (dtype, shape) = (tensor.dtype, tensor.shape);
            let stored = self.tensors.entry(tensor.name).or_insert_with(|| Stored {
                dtype,
                shape: shape.clone(),
                slices: Vec::new(),
                files: Vec::new(),
            });
            if (stored.dtype, &stored.shape) != (dtype, &shape) {
                return Err(table.damaged("a tensor's dtype or shape differs from that in another file or slice"));
            }
            stored.files.extend(tensor.slices.iter().map(|_| self.files.len()));
            stored.slices.extend(tensor.slices);
        }
        self.files.push(table);
        Ok(())
    }

    /// Every tensor, in the order of the names.
    pub fn tensors(&self) -> impl Iterator<Item = TensorInfo<'_>> {
        self.tensors.iter().map(|(name, stored)| stored.info(name))
    }

    /// What the checkpoint says of the tensor `name`; `None` where it has no such tensor.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<TensorInfo<'_>> {
        self.tensors.get_key_value(name.as_ref()).map(|(name, stored)| stored.info(name))
    }

    /// The tensor `name`, put together where it is stored in slices.
    ///
    /// # Errors
    /// As [`crate::BundleReader::read`].
    pub fn read(&self, name: impl AsRef<[u8]>) -> Result<Tensor> {
        let name = name.as_ref();
        let rank = self.stored(name)?.shape.rank();
        self.read_slice(name, &TensorSlice::full(rank))
    }

    /// A part of the tensor `name`.
    ///
    /// # Errors
    /// As [`crate::BundleReader::read_slice`].
    pub fn read_slice(&self, name: impl AsRef<[u8]>, slice: &TensorSlice) -> Result<Tensor> {
        let name = name.as_ref();
        let stored = self.stored(name)?;
        self.read_part(name, stored, slice).context_with(|| format!("reading tensor `{}`", shown(name)))
    }

    fn stored(&self, name: &[u8]) -> Result<&Stored> {
        self.tensors.get(name).ok_or_else(|| {
            let file = self.files.first().map_or(Path::new(""), |file| file.file().path()).display();
            Error::not_found(format!("checkpoint {file} ({} files) has no tensor `{}`", self.files.len(), shown(name)))
        })
    }

    fn read_part(&self, name: &[u8], stored: &Stored, slice: &TensorSlice) -> Result<Tensor> {
        let wanted = slice.ranges(&stored.shape)?;
        let mut pieces = Vec::new();
        for slice in &stored.slices {
            pieces.push((slice, slice.ranges(&stored.shape)?));
        }
        coverage::check(&pieces, &wanted)?;
        let mut read = Vec::new();
        for ((slice, ranges), &file) in pieces.iter().zip(&stored.files) {
            let whole = *ranges == wanted;
            if whole || Runs::new(ranges, &wanted).next().is_some() {
                let shape = ranges.iter().map(Range::len).collect();
                let piece = read_piece(&self.files[file], name, slice, stored.dtype, shape)?;
                if whole {
                    return Ok(piece);
                }
                read.push((piece, ranges));
            }
        }
        let shape: Shape = wanted.iter().map(Range::len).collect();
        let mut tensor = Tensor::zeros(stored.dtype, shape)?;
        for (piece, ranges) in read {
            copy_runs(&piece, Runs::new(ranges, &wanted), &mut tensor)?;
        }
        Ok(tensor)
    }
}

impl Stored {
    fn info<'a>(&'a self, name: &'a [u8]) -> TensorInfo<'a> {
        TensorInfo { name, dtype: self.dtype, shape: &self.shape, slices: &self.slices }
    }
}

/// The elements of a slice.
fn read_piece(table: &Table, name: &[u8], slice: &TensorSlice, dtype: DType, shape: Shape) -> Result<Tensor> {
    let value = table.get(&slice_key(name, slice))?;
    let value =
        value.ok_or_else(|| table.damaged(format_args!("the slice {slice} of `{}` is missing", shown(name))))?;
    let elements = decode_piece(&value).map_err(|why| table.damaged(why))?;
    decode(dtype, shape.clone(), elements).map_err(|error| match error.code() {
        Code::InvalidArgument => table.damaged(format_args!("a {dtype} of shape {shape}: {}", error.message())),
        _ => error,
    })
}
