//! `BundleReader`: the tensors of a checkpoint, by name.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use oplink_api::tensor::Allocator;
use oplink_api::{DType, Error, Result, ResultExt, Shape, Tensor};

use crate::TensorSlice;
use crate::coverage;
use crate::error::shown;
use crate::file::ReadFile;
use crate::key::{is_slice_key, slice_key};
use crate::message::{Entry, Header};
use crate::naming::{data_path, index_path};
use crate::runs::Runs;
use crate::table::Table;
use crate::values::{check_dtype, check_size, read_runs, read_whole};

/// What a checkpoint says of one tensor.
#[derive(Clone, Copy, Debug)]
pub struct TensorInfo<'a> {
    /// Name: bytes, usually text.
    pub name: &'a [u8],
    /// Element type.
    pub dtype: DType,
    /// Shape of the full tensor.
    pub shape: &'a Shape,
    /// The pieces that it is stored in; none where it is stored whole.
    pub slices: &'a [TensorSlice],
}

/// Keys and what the index says of them, in ascending order.
pub(crate) type Entries = Vec<(Box<[u8]>, Entry)>;

/// An open checkpoint. The index is read and verified when it is opened; data when a tensor is read. It may be used
/// from several threads at once.
#[derive(Debug)]
pub struct BundleReader {
    prefix: PathBuf,
    header: Header,
    entries: Entries,
    shards: Mutex<BTreeMap<u32, Arc<ReadFile>>>,
}

impl BundleReader {
    /// Opens the checkpoint whose files are `<prefix>.index` and `<prefix>.data-SSSSS-of-NNNNN`.
    ///
    /// # Errors
    /// `NotFound` where there is no index; `DataLoss` where it is damaged; `Unimplemented` where it was written by a
    /// machine of the other byte order or by a format to come.
    pub fn open(prefix: impl AsRef<Path>) -> Result<Self> {
        let prefix = prefix.as_ref();
        Self::new(prefix, ReadFile::open(index_path(prefix))?, BTreeMap::new())
    }

    /// Of a checkpoint whose files were read: the index, and the data files in order. `name` stands in messages.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_memory(name: &str, index: Vec<u8>, shards: Vec<Vec<u8>>) -> Result<Self> {
        let count = shards.len() as u32;
        let file = |(shard, bytes)| (shard, Arc::new(ReadFile::from_memory(data_path(name, shard, count), bytes)));
        let shards = (0..count).zip(shards).map(file).collect();
        Self::new(Path::new(name), ReadFile::from_memory(index_path(name), index), shards)
    }

    fn new(prefix: &Path, index: ReadFile, shards: BTreeMap<u32, Arc<ReadFile>>) -> Result<Self> {
        let (header, entries) = read_index(index)?;
        if header.big_endian != cfg!(target_endian = "big") {
            let message = format!(
                "checkpoint {} was written by a machine of the other byte order; save it again on one of this order",
                prefix.display()
            );
            return Err(Error::unimplemented(message));
        }
        Ok(Self { prefix: prefix.to_owned(), header, entries, shards: Mutex::new(shards) })
    }

    /// The path that the names of the checkpoint's files start with.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// The number of data files.
    pub fn num_shards(&self) -> u32 {
        self.header.num_shards
    }

    /// Every tensor, in the order of the names; a tensor that is stored in pieces is there once.
    pub fn tensors(&self) -> impl Iterator<Item = TensorInfo<'_>> {
        let names = self.entries.iter().filter(|(key, _)| !is_slice_key(key));
        names.map(|(name, Entry { dtype, shape, slices, .. })| TensorInfo { name, dtype: *dtype, shape, slices })
    }

    /// What the checkpoint says of the tensor `name`; `None` where it has no such tensor.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<TensorInfo<'_>> {
        let at = self.position(name.as_ref())?;
        let (name, Entry { dtype, shape, slices, .. }) = &self.entries[at];
        Some(TensorInfo { name, dtype: *dtype, shape, slices })
    }

    /// The tensor `name`, put together where it is stored in pieces.
    ///
    /// # Errors
    /// `NotFound` where there is no such tensor; `DataLoss` where its data is damaged or missing; `InvalidArgument`
    /// where the stored pieces do not make up all of it.
    pub fn read(&self, name: impl AsRef<[u8]>) -> Result<Tensor> {
        self.read_in(name, None)
    }

    /// As [`Self::read`], in memory of `allocator`.
    ///
    /// # Errors
    /// As [`Self::read`], or memory runs out.
    pub fn read_in(&self, name: impl AsRef<[u8]>, allocator: Option<&Arc<dyn Allocator>>) -> Result<Tensor> {
        let name = name.as_ref();
        let entry = self.entry(name)?;
        self.read_part(name, entry, &TensorSlice::full(entry.shape.rank()), allocator)
    }

    /// A part of the tensor `name`, whether it is stored whole or in pieces, which need not be those wanted.
    ///
    /// # Errors
    /// As [`Self::read`], and where the slice is not within the tensor.
    pub fn read_slice(&self, name: impl AsRef<[u8]>, slice: &TensorSlice) -> Result<Tensor> {
        self.read_slice_in(name, slice, None)
    }

    /// As [`Self::read_slice`], in memory of `allocator`.
    ///
    /// # Errors
    /// As [`Self::read_slice`], or memory runs out.
    pub fn read_slice_in(
        &self,
        name: impl AsRef<[u8]>,
        slice: &TensorSlice,
        allocator: Option<&Arc<dyn Allocator>>,
    ) -> Result<Tensor> {
        let name = name.as_ref();
        self.read_part(name, self.entry(name)?, slice, allocator)
    }

    fn position(&self, key: &[u8]) -> Option<usize> {
        self.entries.binary_search_by(|(k, _)| (**k).cmp(key)).ok()
    }

    fn entry(&self, name: &[u8]) -> Result<&Entry> {
        let found = self.position(name).map(|at| &self.entries[at].1);
        found.ok_or_else(|| {
            Error::not_found(format!(
                "checkpoint {} has no tensor `{}`; it has {} tensors, such as {}",
                self.prefix.display(),
                shown(name),
                self.tensors().count(),
                self.tensors().take(3).map(|t| format!("`{}`", shown(t.name))).collect::<Vec<_>>().join(", ")
            ))
        })
    }

    fn read_part(
        &self,
        name: &[u8],
        entry: &Entry,
        slice: &TensorSlice,
        allocator: Option<&Arc<dyn Allocator>>,
    ) -> Result<Tensor> {
        let context = || format!("reading tensor `{}` of checkpoint {}", shown(name), self.prefix.display());
        let wanted = slice.ranges(&entry.shape).context_with(context)?;
        if entry.slices.is_empty() {
            self.read_stored(entry, &wanted, allocator)
        } else {
            self.read_pieces(name, entry, &wanted, allocator)
        }
        .context_with(context)
    }

    /// Part of a tensor that is stored whole.
    fn read_stored(
        &self,
        entry: &Entry,
        wanted: &[Range<usize>],
        allocator: Option<&Arc<dyn Allocator>>,
    ) -> Result<Tensor> {
        let file = self.data(entry)?;
        let shape: Shape = wanted.iter().map(Range::len).collect();
        let mut tensor = Tensor::allocate(entry.dtype, shape, allocator)?;
        if *tensor.shape() == entry.shape {
            read_whole(&file, entry, &mut tensor)?;
        } else {
            let stored: Vec<_> = entry.shape.iter().map(|&dim| 0..dim).collect();
            read_runs(&file, entry, Runs::new(&stored, wanted), &mut tensor)?;
        }
        Ok(tensor)
    }

    /// Part of a tensor that is stored in pieces.
    fn read_pieces(
        &self,
        name: &[u8],
        entry: &Entry,
        wanted: &[Range<usize>],
        allocator: Option<&Arc<dyn Allocator>>,
    ) -> Result<Tensor> {
        let mut pieces = Vec::new();
        for slice in &entry.slices {
            let ranges = slice.ranges(&entry.shape).map_err(|error| self.damaged(error.message()))?;
            pieces.push((slice, ranges));
        }
        coverage::check(&pieces, wanted)?;
        let mut files = Vec::new();
        for (slice, ranges) in &pieces {
            if Runs::new(ranges, wanted).next().is_some() {
                let piece = self.piece(name, entry, slice)?;
                files.push((self.data(piece)?, piece, ranges));
            }
        }
        let shape: Shape = wanted.iter().map(Range::len).collect();
        let mut tensor = Tensor::allocate(entry.dtype, shape, allocator)?;
        for (file, piece, ranges) in files {
            if **ranges == *wanted {
                read_whole(&file, piece, &mut tensor)?;
            } else {
                read_runs(&file, piece, Runs::new(ranges, wanted), &mut tensor)?;
            }
        }
        Ok(tensor)
    }

    /// The entry of a piece of the tensor `name`.
    fn piece(&self, name: &[u8], full: &Entry, slice: &TensorSlice) -> Result<&Entry> {
        let Some(at) = self.position(&slice_key(name, slice)) else {
            return Err(self.damaged(format_args!("the slice {slice} of `{}` has no entry", shown(name))));
        };
        let piece = &self.entries[at].1;
        if piece.dtype != full.dtype || piece.shape != slice.shape_in(&full.shape)? || !piece.slices.is_empty() {
            return Err(self.damaged(format_args!("the slice {slice} of `{}` does not fit it", shown(name))));
        }
        Ok(piece)
    }

    /// The data file of a stored tensor, which is as large as the entry demands.
    fn data(&self, entry: &Entry) -> Result<Arc<ReadFile>> {
        if entry.shard >= self.header.num_shards {
            let (shard, shards) = (entry.shard, self.header.num_shards);
            return Err(self.damaged(format_args!("it names data file {shard} of {shards}")));
        }
        let file = self.shard(entry.shard)?;
        check_dtype(entry.dtype)?;
        check_size(&file, entry)?;
        Ok(file)
    }

    fn shard(&self, shard: u32) -> Result<Arc<ReadFile>> {
        let mut shards = self.shards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = shards.get(&shard) {
            return Ok(file.clone());
        }
        let path = data_path(&self.prefix, shard, self.header.num_shards);
        let file = Arc::new(ReadFile::open(path)?);
        shards.insert(shard, file.clone());
        Ok(file)
    }

    fn damaged(&self, why: impl std::fmt::Display) -> Error {
        crate::error::damaged(&index_path(&self.prefix), why)
    }
}

/// The header and the entries of an index.
pub(crate) fn read_index(file: ReadFile) -> Result<(Header, Entries)> {
    let table = Table::open(file)?;
    let mut header = None;
    let mut entries = Entries::new();
    table.for_each(|key, value| {
        let bad = |why| table.damaged(format_args!("{why} (the entry `{}`)", shown(key)));
        if key.is_empty() {
            header = Some(Header::decode(value).map_err(bad)?);
        } else {
            entries.push((key.into(), Entry::decode(value).map_err(bad)?));
        }
        Ok(())
    })?;
    let header = header.ok_or_else(|| table.damaged("it has no header"))?;
    header.version.check(table.file().path())?;
    Ok((header, entries))
}
