//! Every so many elements of a dataset.

use oplink::prelude::*;
use oplink_ops::data::ShardDataset;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

pub(crate) struct Shard {
    input: DatasetHandle,
    shards: u64,
    index: u64,
    non_empty: bool,
}

struct ShardIterator {
    elements: Elements,
    shards: u64,
    index: u64,
    non_empty: bool,
    next: u64,
}

impl Dataset for Shard {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        self.input.batch_size(env)
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Known(size) => {
                Cardinality::Known(size / self.shards + u64::from(self.index < size % self.shards))
            }
            other => other,
        }
    }

    fn is_indexed(&self) -> bool {
        self.input.is_indexed() && !self.non_empty
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        let at = position.checked_mul(self.shards).and_then(|at| at.checked_add(self.index));
        at.map_or(Ok(None), |at| self.input.at(run, at))
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let elements = self.input.iterate(run)?;
        let &Self { shards, index, non_empty, .. } = self;
        Ok(Box::new(ShardIterator { elements, shards, index, non_empty, next: 0 }))
    }
}

impl Shard {
    /// The elements from that at `index` on, each after so many, whose number has a name.
    ///
    /// # Errors
    /// The number is not positive, or not above `index`.
    pub(crate) fn new(input: &DatasetHandle, (name, shards): (&str, i64), index: i64, non_empty: bool) -> Result<Self> {
        ensure!(shards > 0, "{name} must be greater than 0, it is {shards}");
        ensure!((0..shards).contains(&index), "index must be between 0 and {}, it is {index}", shards - 1);
        Ok(Self { input: input.clone(), shards: shards as u64, index: index as u64, non_empty })
    }
}

impl ShardIterator {
    fn too_few(&self) -> Error {
        let (there, shards) = (self.next, self.shards);
        Error::invalid_argument(format!(
            "there are {there} elements for {shards} shards, and require_non_empty is set: use fewer shards"
        ))
    }
}

impl DatasetIterator for ShardIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let found = loop {
            match self.elements.next(run)? {
                None => return Ok(None),
                Some(element) => {
                    self.next += 1;
                    if (self.next - 1) % self.shards == self.index {
                        break element;
                    }
                }
            }
        };
        while self.non_empty && self.next < self.shards {
            if self.elements.next(run)?.is_none() {
                return Err(self.too_few());
            }
            self.next += 1;
        }
        Ok(Some(found))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.next as i64);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.next = from.count()?;
        self.elements.restore(run, from)
    }
}

/// `ShardDataset`.
#[kernel(ShardDataset, device = CPU)]
pub fn shard_dataset_cpu(
    input_dataset: &DatasetHandle,
    num_shards: i64,
    index: i64,
    require_non_empty: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let shard = Shard::new(input_dataset, ("num_shards", num_shards), index, require_non_empty)?;
    DatasetHandle::new(&env, output_types, output_shapes, shard)
}
