//! Elements read ahead.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::PrefetchDataset;

use crate::ahead::{Ahead, BufferTags};
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};

/// Elements that are read ahead where a node leaves the number open.
const OPEN: usize = 8;

struct Prefetch {
    input: DatasetHandle,
    buffer_size: usize,
    tags: Arc<BufferTags>,
}

impl Dataset for Prefetch {
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
        let elements = Ahead::new(self.input.iterate(run)?, None, self.buffer_size, 1);
        Ok(Box::new(elements.with_statistics(self.tags.clone())))
    }
}

/// `PrefetchDataset`.
#[kernel(PrefetchDataset, device = CPU)]
pub fn prefetch_dataset_cpu(
    input_dataset: &DatasetHandle,
    buffer_size: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    ensure!(buffer_size >= -1, "buffer_size must be 0 or more, or -1 for a good number; it is {buffer_size}");
    let buffer_size = usize::try_from(buffer_size).unwrap_or(OPEN);
    let tags = Arc::new(BufferTags::new(&env.node().name));
    let prefetch = Prefetch { input: input_dataset.clone(), buffer_size, tags };
    DatasetHandle::new(&env, output_types, output_shapes, prefetch)
}
