//! Batches in parts, one for each of several replicas.

use oplink::prelude::*;
use oplink_ops::data::{ExperimentalRebatchDataset, RebatchDataset};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

struct Parts {
    input: DatasetHandle,
    replicas: usize,
}

struct PartsIterator {
    elements: Elements,
    replicas: usize,
    batch: Element,
    /// The part that comes next; behind the last where the batch is used up.
    next: usize,
}

impl Dataset for Parts {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (elements, replicas) = (self.input.iterate(run)?, self.replicas);
        Ok(Box::new(PartsIterator { elements, replicas, batch: Element::new(), next: replicas }))
    }
}

impl DatasetIterator for PartsIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if self.next >= self.replicas {
            let Some(batch) = self.elements.next(run)? else { return Ok(None) };
            for (at, component) in batch.iter().enumerate() {
                ensure!(
                    component.rank() > 0,
                    "component {at} is a scalar, which has no rows; is the input in batches?"
                );
            }
            (self.batch, self.next) = (batch, 0);
        }
        let part = |component: &Tensor| {
            let rows = component.shape()[0];
            let length = rows.div_ceil(self.replicas);
            let start = self.next.saturating_mul(length).min(rows);
            component.slice(start, (start + length).min(rows))
        };
        let parts = self.batch.iter().map(part).collect::<Result<_>>()?;
        self.next += 1;
        Ok(Some(parts))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.next as i64);
        to.put_tensors(&self.batch);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.next = usize::try_from(from.count()?).unwrap_or(usize::MAX);
        self.batch = from.tensors()?;
        self.elements.restore(run, from)
    }
}

/// `RebatchDataset`: the parts share the memory of their batch.
#[kernel(RebatchDataset, device = CPU)]
#[kernel(ExperimentalRebatchDataset, device = CPU)]
pub fn rebatch_dataset_cpu(input_dataset: &DatasetHandle, num_replicas: i64, env: Env<'_>) -> Result<DatasetHandle> {
    ensure!(num_replicas > 0, "num_replicas must be greater than 0, it is {num_replicas}");
    let with_any_rows = |shape: &PartialShape| match shape.dims() {
        Some([_, rest @ ..]) => {
            let mut dims = vec![None];
            dims.extend_from_slice(rest);
            PartialShape::new(&dims)
        }
        _ => shape.clone(),
    };
    let shapes: Vec<_> = input_dataset.shapes().iter().map(with_any_rows).collect();
    let replicas = usize::try_from(num_replicas).unwrap_or(usize::MAX);
    let parts = Parts { input: input_dataset.clone(), replicas };
    DatasetHandle::new(&env, input_dataset.dtypes(), &shapes, parts)
}
