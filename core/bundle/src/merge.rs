//! Merging of several checkpoints into one, as the last step of a save in parts.

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::fs;
use std::path::{Path, PathBuf};

use oplink_api::{Error, Result, ResultExt, ensure};

use crate::error::{damaged, shown};
use crate::file::ReadFile;
use crate::message::{Entry, Header};
use crate::naming::{data_path, index_path};
use crate::reader::read_index;
use crate::replace::{create_directory, replace_all};
use crate::writer::write_index;

/// Makes one checkpoint `destination` of those at `prefixes`, whose data files are renamed and whose indexes are
/// removed.
///
/// A tensor's slices may be in several of them; any other name must be in one only. With `allow_missing`, prefixes
/// without an index are passed over, of which one at least must have one. Before anything is changed all indexes
/// are read and all data files are looked at; an error leaves every file as it was.
///
/// # Errors
/// `NotFound` where an index is missing, `InvalidArgument` where a name is in several checkpoints, and what reading the
/// indexes and renaming the files reports.
pub fn merge_bundles<P: AsRef<Path>>(prefixes: &[P], destination: impl AsRef<Path>, allow_missing: bool) -> Result<()> {
    let destination = destination.as_ref();
    let mut merge = Merge::default();
    let mut merged = Vec::new();
    for prefix in prefixes.iter().map(AsRef::as_ref) {
        if !index_path(prefix).exists() {
            ensure!(allow_missing, "checkpoint {}, which is to be merged, does not exist", prefix.display());
            continue;
        }
        merge.add(prefix).context_with(|| format!("merging checkpoint {}", prefix.display()))?;
        merged.push(prefix);
    }
    ensure!(
        !merged.is_empty(),
        "none of the {} checkpoints to merge into {} exists",
        prefixes.len(),
        destination.display()
    );
    merge.write(destination)?;
    for index in merged.into_iter().map(index_path).filter(|index| *index != index_path(destination)) {
        let _ = fs::remove_file(index);
    }
    Ok(())
}

#[derive(Default)]
struct Merge {
    header: Option<Header>,
    entries: BTreeMap<Vec<u8>, Entry>,
    /// Data files, in the order of their numbers in the merged checkpoint.
    files: Vec<PathBuf>,
}

impl Merge {
    fn add(&mut self, prefix: &Path) -> Result<()> {
        let (header, entries) = read_index(ReadFile::open(index_path(prefix))?)?;
        let shards = header.num_shards;
        let same = self.header.get_or_insert_with(|| header.clone());
        ensure!(
            same.version == header.version && same.big_endian == header.big_endian,
            "its format's version or byte order is not that of the checkpoints before it"
        );
        let mut numbers = BTreeMap::new();
        for (key, entry) in entries {
            self.add_entry(prefix, shards, &mut numbers, key.into(), entry)?;
        }
        Ok(())
    }

    fn add_entry(
        &mut self,
        prefix: &Path,
        shards: u32,
        numbers: &mut BTreeMap<u32, u32>,
        key: Vec<u8>,
        mut entry: Entry,
    ) -> Result<()> {
        let shown = || shown(&key);
        match self.entries.entry(key.clone()) {
            btree_map::Entry::Occupied(mut slot) => {
                let full = slot.get_mut();
                ensure!(
                    !full.slices.is_empty() && !entry.slices.is_empty(),
                    "tensor `{}` is in several of the checkpoints, and not in slices",
                    shown()
                );
                ensure!(
                    full.dtype == entry.dtype && full.shape == entry.shape,
                    "slices of tensor `{}` are of a {} of shape {} and of a {} of shape {}",
                    shown(),
                    full.dtype,
                    full.shape,
                    entry.dtype,
                    entry.shape
                );
                full.slices.append(&mut entry.slices);
            }
            btree_map::Entry::Vacant(slot) => {
                if entry.slices.is_empty() {
                    entry.shard = number(&mut self.files, numbers, prefix, entry.shard, shards)?;
                } else {
                    entry.shard = 0;
                }
                slot.insert(entry);
            }
        }
        Ok(())
    }

    fn write(self, destination: &Path) -> Result<()> {
        let count = self.files.len() as u32;
        let header = self.header.ok_or_else(|| Error::internal("no checkpoint was merged"))?;
        create_directory(destination)?;
        let header = Header { num_shards: count, ..header };
        let index = write_index(index_path(destination), &header, &self.entries)?;
        let targets = (0..count).map(|shard| data_path(destination, shard, count));
        replace_all(self.files.into_iter().zip(targets).collect(), vec![index])
    }
}

/// The number that a data file has in the merged checkpoint.
fn number(
    files: &mut Vec<PathBuf>,
    numbers: &mut BTreeMap<u32, u32>,
    prefix: &Path,
    shard: u32,
    shards: u32,
) -> Result<u32> {
    if let Some(&number) = numbers.get(&shard) {
        return Ok(number);
    }
    if shard >= shards {
        return Err(damaged(&index_path(prefix), format_args!("it names data file {shard} of {shards}")));
    }
    let path = data_path(prefix, shard, shards);
    ReadFile::open(path.clone())?;
    numbers.insert(shard, files.len() as u32);
    files.push(path);
    Ok(files.len() as u32 - 1)
}
