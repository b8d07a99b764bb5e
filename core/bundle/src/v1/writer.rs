//! `V1Writer`: saving tensors in the format before bundles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oplink_api::{Code, Error, ErrorKind, Result, ResultExt, Shape, Tensor, ensure};

use super::elements::{check_dtype, encode};
use super::message::{TensorMeta, encode_list, encode_piece};
use crate::TensorSlice;
use crate::error::shown;
use crate::key::slice_key;
use crate::replace::{NewFile, replace_all};
use crate::table::TableWriter;

/// Bytes that the elements of one slice may have.
const LARGEST: usize = 1 << 31;

/// A checkpoint of one file that is being written. Nothing is seen under its name before [`Self::finish`]; tensors are
/// held until then.
#[derive(Debug)]
pub struct V1Writer {
    path: PathBuf,
    tensors: BTreeMap<Vec<u8>, TensorMeta>,
    /// By the slices' keys: name, slice and elements.
    pieces: BTreeMap<Vec<u8>, (Vec<u8>, TensorSlice, Tensor)>,
}

impl V1Writer {
    /// Starts a checkpoint that is the file `path`, whose folder exists.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self { path: path.as_ref().to_owned(), tensors: BTreeMap::new(), pieces: BTreeMap::new() }
    }

    /// Adds a tensor: of floating-point (but bfloat16), complex, string or bool dtype, of the integers but uint32 and
    /// uint64, or qint8, quint8 or qint32; `Unimplemented` for others. A name can be given once.
    ///
    /// # Errors
    /// `Unimplemented` for a dtype that the format lacks; `InvalidArgument` where the name is given already.
    pub fn add(&mut self, name: impl AsRef<[u8]>, tensor: &Tensor) -> Result<()> {
        self.add_slice(name, tensor.shape(), &TensorSlice::full(tensor.rank()), tensor)
    }

    /// Adds a part of a tensor of the shape `full_shape`. Parts must not overlap.
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
        let context = format!("saving tensor `{}` in checkpoint {}", shown(name), self.path.display());
        self.add_part(name, full_shape, slice, tensor).context_with(|| context)
    }

    fn add_part(&mut self, name: &[u8], full: &Shape, slice: &TensorSlice, tensor: &Tensor) -> Result<()> {
        check_dtype(tensor.dtype())?;
        let (shape, given) = (slice.shape_in(full)?, tensor.shape());
        ensure!(shape == *given, "the slice {slice} of {full} has the shape {shape}, the tensor {given}");
        let key = slice_key(name, slice);
        ensure!(!self.pieces.contains_key(&key), "the name or the slice is given twice; each must be unique");
        let known = self.tensors.entry(name.to_vec()).or_insert_with(|| TensorMeta {
            name: name.to_vec(),
            shape: full.clone(),
            dtype: tensor.dtype(),
            slices: Vec::new(),
        });
        if (known.dtype, &known.shape) != (tensor.dtype(), full) {
            let message = format!(
                "the slice is of a {} of shape {full}, others are of a {} of shape {}",
                tensor.dtype(),
                known.dtype,
                known.shape
            );
            return Err(Error::new(Code::Internal, ErrorKind::InvalidArgument, message));
        }
        known.slices.push(slice.clone());
        self.pieces.insert(key, (name.to_vec(), slice.clone(), tensor.clone()));
        Ok(())
    }

    /// Writes the checkpoint, which replaces an older file of its name when it is complete; an error leaves it as it
    /// was.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<()> {
        let mut file = NewFile::create(self.path)?;
        let mut table = TableWriter::new(&mut file);
        let mut written = table.add(b"", &encode_list(self.tensors.values()));
        for (key, (name, slice, tensor)) in &self.pieces {
            let elements = encode(tensor)?;
            ensure!(elements.len() < LARGEST, "a slice of tensor `{}` is 2 GiB or larger; use SaveV2", shown(name));
            written = written.and_then(|()| table.add(key, &encode_piece(name, slice, &elements)));
        }
        let written = written.and_then(|()| table.finish().map(drop));
        written.map_err(|error| file.error(&error))?;
        replace_all(Vec::new(), vec![file.complete()?])
    }
}
