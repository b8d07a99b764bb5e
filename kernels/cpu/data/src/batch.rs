//! Batches: several elements in one.

use oplink::memory::try_reserve;
use oplink::prelude::*;
use oplink_cpu_support::movement::join_rows;
use oplink_ops::data::{BatchDataset, BatchDatasetV2, ParallelBatchDataset};
use oplink_ops::movement::Piece;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

/// How elements are put into batches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batches {
    pub(crate) size: usize,
    pub(crate) drop_remainder: bool,
}

impl Batches {
    pub(crate) fn new(batch_size: i64, drop_remainder: bool) -> Result<Self> {
        ensure!(batch_size > 0, "batch_size must be greater than 0, it is {batch_size}");
        Ok(Self { size: usize::try_from(batch_size).unwrap_or(usize::MAX), drop_remainder })
    }

    /// The number of batches.
    pub(crate) fn cardinality(self, elements: Cardinality) -> Cardinality {
        let size = self.size as u64;
        match elements {
            Cardinality::Known(count) if self.drop_remainder => Cardinality::Known(count / size),
            Cardinality::Known(count) => Cardinality::Known(count.div_ceil(size)),
            other => other,
        }
    }

    /// The elements of the next batch; `None` where there is none.
    pub(crate) fn collect(self, mut next: impl FnMut() -> Result<Option<Element>>) -> Result<Option<Vec<Element>>> {
        let mut batch = Vec::new();
        while batch.len() < self.size {
            let Some(element) = next()? else { break };
            if batch.len() == batch.capacity() {
                let more = batch.len().max(16).min(self.size - batch.len());
                try_reserve(&mut batch, more)?;
            }
            batch.push(element);
        }
        let left_out = batch.is_empty() || (self.drop_remainder && batch.len() < self.size);
        Ok((!left_out).then_some(batch))
    }
}

/// The components of elements of one shape as rows of tensors.
pub(crate) fn stack(run: &Run<'_>, batch: &[Element]) -> Result<Element> {
    let components = batch.first().map_or(0, Vec::len);
    (0..components).map(|component| stack_component(run, batch, component)).collect()
}

fn stack_component(run: &Run<'_>, batch: &[Element], component: usize) -> Result<Tensor> {
    let first = &batch[0][component];
    let mut pieces = oplink::memory::try_vec(batch.len())?;
    for (at, element) in batch.iter().enumerate() {
        let tensor = element.get(component).ok_or_else(|| Error::internal("elements differ in their components"))?;
        ensure!(
            tensor.shape() == first.shape() && tensor.dtype() == first.dtype(),
            "component {component} of elements of one batch must have one shape: that of the first is {} {}, that of \
             element {at} is {} {}; use padded batches for elements of different shapes",
            first.dtype(),
            first.shape(),
            tensor.dtype(),
            tensor.shape()
        );
        pieces.push(Piece { tensor, length: tensor.num_elements() });
    }
    let mut shape = Shape::new(&[batch.len()]);
    first.shape().iter().for_each(|&extent| shape.push(extent));
    let mut out = Tensor::allocate(first.dtype(), shape, run.env.allocator())?;
    join_rows(run.env, &mut out, &pieces)?;
    Ok(out)
}

struct Batch {
    input: DatasetHandle,
    batches: Batches,
    /// Whether `ComputeBatchSize` is to know the size, as in TensorFlow.
    tells_size: bool,
}

struct BatchIterator {
    elements: Elements,
    batches: Batches,
}

impl Dataset for Batch {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, _: Env<'_>) -> Option<usize> {
        self.tells_size.then_some(self.batches.size)
    }

    fn cardinality(&self) -> Cardinality {
        self.batches.cardinality(self.input.cardinality())
    }

    fn is_indexed(&self) -> bool {
        self.input.is_indexed() && self.batches.drop_remainder
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        let Some(first) = position.checked_mul(self.batches.size as u64) else { return Ok(None) };
        let mut positions = first..u64::MAX;
        let next = || positions.next().map_or(Ok(None), |at| self.input.at(run, at));
        let batch = self.batches.collect(next)?;
        batch.map(|batch| stack(run, &batch)).transpose()
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(BatchIterator { elements: self.input.iterate(run)?, batches: self.batches }))
    }
}

impl DatasetIterator for BatchIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let batch = self.batches.collect(|| self.elements.next(run))?;
        batch.map(|batch| stack(run, &batch)).transpose()
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.elements.restore(run, from)
    }
}

fn batched(
    env: &Env<'_>,
    input: &DatasetHandle,
    (batches, tells_size): (Batches, bool),
    output_types: &[DType],
    output_shapes: &[PartialShape],
) -> Result<DatasetHandle> {
    let same = input.dtypes() == output_types;
    ensure!(same, "{input} has elements of {:?}, output_types is {output_types:?}", input.dtypes());
    let batch = Batch { input: input.clone(), batches, tells_size };
    DatasetHandle::new(env, output_types, output_shapes, batch)
}

/// `BatchDataset`.
#[kernel(BatchDataset, device = CPU)]
pub fn batch_dataset_cpu(
    input_dataset: &DatasetHandle,
    batch_size: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    batched(&env, input_dataset, (Batches::new(batch_size, false)?, true), output_types, output_shapes)
}

/// `BatchDatasetV2`.
#[kernel(BatchDatasetV2, device = CPU)]
pub fn batch_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    batch_size: i64,
    drop_remainder: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let batches = Batches::new(batch_size, drop_remainder)?;
    batched(&env, input_dataset, (batches, true), output_types, output_shapes)
}

/// `ParallelBatchDataset`, whose batches are copied by the threads of the session.
#[kernel(ParallelBatchDataset, device = CPU)]
pub fn parallel_batch_dataset_cpu(
    input_dataset: &DatasetHandle,
    batch_size: i64,
    drop_remainder: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let batches = Batches::new(batch_size, drop_remainder)?;
    batched(&env, input_dataset, (batches, false), output_types, output_shapes)
}
