//! The names of the files that patterns match.

use std::collections::VecDeque;
use std::sync::Arc;

use oplink::prelude::*;
use oplink_cpu_support::matching::matching_paths;
use oplink_cpu_support::paths::path;
use oplink_ops::data::{ExperimentalMatchingFilesDataset, MatchingFilesDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::position::{PositionReader, PositionWriter};

struct MatchingFiles(Arc<[TString]>);

struct MatchingFilesIterator {
    patterns: Arc<[TString]>,
    /// The pattern that comes next.
    next: usize,
    /// Files that the one before matches.
    files: VecDeque<Vec<u8>>,
    /// Whether there was a file, or the error that there is none.
    any: bool,
}

impl Dataset for MatchingFiles {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (patterns, files) = (self.0.clone(), VecDeque::new());
        Ok(Box::new(MatchingFilesIterator { patterns, next: 0, files, any: false }))
    }
}

/// The files that a pattern matches, in order.
fn matching_files(pattern: &[u8]) -> Result<VecDeque<Vec<u8>>> {
    let windows = pattern.contains(&b'\\');
    let replaced = |bytes: &[u8], from: u8, to: u8| -> Vec<u8> {
        bytes.iter().map(|&byte| if byte == from { to } else { byte }).collect()
    };
    let mut pattern = if windows { replaced(pattern, b'\\', b'/') } else { pattern.to_vec() };
    let special = pattern.iter().position(|byte| b"*?[".contains(byte)).unwrap_or(pattern.len());
    let folder = match pattern[..special].iter().rposition(|&byte| byte == b'/') {
        Some(0) => b"/".to_vec(),
        Some(slash) => pattern[..slash].to_vec(),
        None => {
            pattern.splice(0..0, *b"./");
            b".".to_vec()
        }
    };
    let folder = path(&folder)?;
    if let Err(error) = std::fs::read_dir(&folder) {
        return Err(Error::io(format_args!("cannot list folder {}", folder.display()), error));
    }
    // No file has such a name.
    if pattern.ends_with(b"/") || pattern.windows(2).any(|pair| pair == b"//") {
        return Ok(VecDeque::new());
    }
    let mut files = VecDeque::new();
    for name in matching_paths(&pattern)? {
        if !path(&name)?.is_dir() {
            files.push_back(if windows { replaced(&name, b'/', b'\\') } else { name });
        }
    }
    Ok(files)
}

impl DatasetIterator for MatchingFilesIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        loop {
            run.check()?;
            if let Some(file) = self.files.pop_front() {
                self.any = true;
                return Ok(Some(vec![Tensor::scalar(TString::new(file))]));
            }
            let Some(pattern) = self.patterns.get(self.next) else { break };
            self.next += 1;
            self.files = matching_files(pattern.as_bytes())?;
        }
        match std::mem::replace(&mut self.any, true) {
            true => Ok(None),
            false => Err(Error::not_found("no file matches one of the patterns")),
        }
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.next as i64);
        to.put_flag(self.any);
        let files: Vec<_> = self.files.iter().map(TString::new).collect();
        to.put_tensors(&[files.into()]);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.next, self.any) = (usize::try_from(from.count()?).unwrap_or(usize::MAX), from.flag()?);
        self.files.clear();
        for files in from.tensors()? {
            self.files.extend(files.as_slice::<TString>()?.iter().map(|file| file.as_bytes().to_vec()));
        }
        Ok(())
    }
}

/// `MatchingFilesDataset`.
#[kernel(MatchingFilesDataset, device = CPU)]
#[kernel(ExperimentalMatchingFilesDataset, device = CPU)]
pub fn matching_files_dataset_cpu(patterns: &Tensor, env: Env<'_>) -> Result<DatasetHandle> {
    let files = MatchingFiles(patterns.as_slice::<TString>()?.into());
    DatasetHandle::new(&env, &[DType::String], &[PartialShape::scalar()], files)
}
