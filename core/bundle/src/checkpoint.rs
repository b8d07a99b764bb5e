//! `Checkpoint`: a checkpoint of either format.

use std::path::Path;

use oplink_api::{Result, Tensor};

use crate::naming::index_path;
use crate::{BundleReader, TensorInfo, V1Reader};

/// An open checkpoint, of the format that its files have.
#[derive(Debug)]
pub enum Checkpoint {
    /// A tensor bundle.
    Bundle(BundleReader),
    /// A file of the format before bundles.
    V1(V1Reader),
}

impl Checkpoint {
    /// Opens the tensor bundle with the prefix `path`, or, where there is none, the file `path` of the format before.
    ///
    /// # Errors
    /// As [`BundleReader::open`] and [`V1Reader::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        match index_path(path).exists() {
            true => BundleReader::open(path).map(Self::Bundle),
            false => V1Reader::open(&[path]).map(Self::V1),
        }
    }

    /// Every tensor, in the order of the names.
    pub fn tensors(&self) -> Vec<TensorInfo<'_>> {
        match self {
            Self::Bundle(reader) => reader.tensors().collect(),
            Self::V1(reader) => reader.tensors().collect(),
        }
    }

    /// What the checkpoint says of the tensor `name`; `None` where it has no such tensor.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<TensorInfo<'_>> {
        match self {
            Self::Bundle(reader) => reader.get(name),
            Self::V1(reader) => reader.get(name),
        }
    }

    /// The tensor `name`, put together where it is stored in pieces.
    ///
    /// # Errors
    /// As [`BundleReader::read`].
    pub fn read(&self, name: impl AsRef<[u8]>) -> Result<Tensor> {
        match self {
            Self::Bundle(reader) => reader.read(name),
            Self::V1(reader) => reader.read(name),
        }
    }
}
