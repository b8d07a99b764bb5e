//! Elements that are kept by the first iteration that comes to their end.

use std::sync::{Arc, Mutex, PoisonError};

use oplink::memory::try_reserve;
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_ops::data::{AnonymousMemoryCache, CacheDataset, CacheDatasetV2, DeleteMemoryCache, DummyMemoryCache};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};
use crate::seeds::{anonymous, dummy};

/// The elements of a dataset, once all of them are known.
#[derive(Clone, Default)]
pub struct MemoryCache(Arc<Mutex<Option<Arc<Vec<Element>>>>>);

impl MemoryCache {
    fn get(&self) -> Option<Arc<Vec<Element>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, elements: Vec<Element>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(elements));
    }
}

impl Resource for MemoryCache {
    fn type_name(&self) -> &'static str {
        "memory cache"
    }
}

struct Cache {
    input: DatasetHandle,
    cache: MemoryCache,
}

struct CacheIterator {
    input: DatasetHandle,
    cache: MemoryCache,
    mode: Mode,
}

enum Mode {
    /// Elements that are given and kept.
    Keeping { elements: Elements, kept: Vec<Element> },
    /// Elements that were kept, from a position on.
    Reading { kept: Arc<Vec<Element>>, next: usize },
}

impl Dataset for Cache {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        self.input.batch_size(env)
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn is_indexed(&self) -> bool {
        self.input.is_indexed()
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        self.input.at(run, position)
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let mode = match self.cache.get() {
            Some(kept) => Mode::Reading { kept, next: 0 },
            None => Mode::Keeping { elements: self.input.iterate(run)?, kept: Vec::new() },
        };
        Ok(Box::new(CacheIterator { input: self.input.clone(), cache: self.cache.clone(), mode }))
    }
}

impl DatasetIterator for CacheIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        match &mut self.mode {
            Mode::Reading { kept, next } => {
                *next += 1;
                Ok(kept.get(*next - 1).cloned())
            }
            Mode::Keeping { elements, kept } => {
                let element = elements.next(run)?;
                match &element {
                    Some(element) => {
                        if kept.len() == kept.capacity() {
                            let more = kept.len().max(16);
                            try_reserve(kept, more)?;
                        }
                        kept.push(element.clone());
                    }
                    None => self.cache.set(std::mem::take(kept)),
                }
                Ok(element)
            }
        }
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        match &mut self.mode {
            Mode::Reading { kept, next } => {
                to.put(*next as i64);
                to.put_elements(kept.iter());
                Ok(())
            }
            Mode::Keeping { elements, kept } => {
                to.put(-1);
                to.put_elements(kept.iter());
                elements.save(run, to)
            }
        }
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        let (next, kept): (_, Vec<Element>) = (from.number()?, from.elements()?);
        self.mode = match usize::try_from(next) {
            Ok(next) => Mode::Reading { kept: Arc::new(kept), next },
            Err(_) => {
                let mut elements = self.input.iterate(run)?;
                elements.restore(run, from)?;
                Mode::Keeping { elements, kept }
            }
        };
        Ok(())
    }
}

fn cached(
    env: &Env<'_>,
    input: &DatasetHandle,
    filename: &[u8],
    cache: MemoryCache,
    (output_types, output_shapes): (&[DType], &[PartialShape]),
) -> Result<DatasetHandle> {
    if !filename.is_empty() {
        let message = "caches are kept in memory, not in files: give no filename, or write the elements to records";
        return Err(Error::unimplemented(message));
    }
    let cache = Cache { input: input.clone(), cache };
    DatasetHandle::new(env, output_types, output_shapes, cache)
}

/// `CacheDataset`.
#[kernel(CacheDataset, device = CPU)]
pub fn cache_dataset_cpu(
    input_dataset: &DatasetHandle,
    filename: TString,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    cached(&env, input_dataset, filename.as_bytes(), MemoryCache::default(), (output_types, output_shapes))
}

/// `CacheDatasetV2`: in the cache of the handle, or in one of its own where the handle refers to none.
#[kernel(CacheDatasetV2, device = CPU)]
pub fn cache_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    filename: TString,
    cache: Input<'_>,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let exists = cache.handle()?.exists();
    let cache = if exists { MemoryCache::clone(&*cache.resource::<MemoryCache>()?) } else { MemoryCache::default() };
    cached(&env, input_dataset, filename.as_bytes(), cache, (output_types, output_shapes))
}

/// `AnonymousMemoryCache`.
#[kernel(AnonymousMemoryCache, device = CPU)]
pub fn anonymous_memory_cache_cpu(env: Env<'_>) -> Result<(Tensor, Tensor)> {
    Ok((anonymous(env, MemoryCache::default())?, Tensor::scalar(Variant::default())))
}

/// `DummyMemoryCache`.
#[kernel(DummyMemoryCache, device = CPU)]
pub fn dummy_memory_cache_cpu(env: Env<'_>) -> Tensor {
    dummy(env)
}

/// `DeleteMemoryCache`.
#[kernel(DeleteMemoryCache, device = CPU)]
pub fn delete_memory_cache_cpu(handle: Input<'_>, deleter: &Tensor) -> Result<()> {
    let _ = deleter;
    handle.handle()?.destroy();
    Ok(())
}
