//! What functions make of elements, one by one.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::{ExperimentalMapAndBatchDataset, ExperimentalMapDataset};
use oplink_ops::data::{MapAndBatchDataset, MapDataset, ParallelMapDataset, ParallelMapDatasetV2};

use crate::ahead::{Ahead, ElementFunction};
use crate::batch::{Batches, stack};
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::function::DatasetFunction;
use crate::position::{PositionReader, PositionWriter};

/// A function of the graph from elements to elements.
pub(crate) struct MapFunction {
    function: DatasetFunction,
    dtypes: Vec<DType>,
    preserve_cardinality: bool,
}

impl MapFunction {
    pub(crate) fn new(function: DatasetFunction, dtypes: &[DType], preserve_cardinality: bool) -> Self {
        Self { function, dtypes: dtypes.to_vec(), preserve_cardinality }
    }
}

impl ElementFunction for MapFunction {
    fn apply(&self, run: &Run<'_>, element: Element, _: u64) -> Result<Option<Element>> {
        end_or_error(self.function.call_for(run, element, &self.dtypes).map(Some), self.preserve_cardinality)
    }
}

/// A function that is out of range ends the dataset, or fails where the number of elements must stay.
pub(crate) fn end_or_error<T>(made: Result<Option<T>>, preserve_cardinality: bool) -> Result<Option<T>> {
    match made {
        Err(error) if error.code() == Code::OutOfRange && preserve_cardinality => {
            Err(Error::invalid_argument(format!("the function would end the dataset, which must not be: {error}")))
        }
        Err(error) if error.code() == Code::OutOfRange => Ok(None),
        made => made,
    }
}

/// Threads that a number of parallel calls stands for: the session's for -1.
pub(crate) fn threads(num_parallel_calls: i64, env: &Env<'_>) -> Result<usize> {
    match num_parallel_calls {
        -1 => Ok(env.intra_op_threads()),
        1.. => Ok(usize::try_from(num_parallel_calls).unwrap_or(usize::MAX)),
        other => bail!("num_parallel_calls must be greater than 0, or -1 for a good number; it is {other}"),
    }
}

struct Map {
    input: DatasetHandle,
    function: Arc<MapFunction>,
    /// How many calls there are at once; the caller's one where 1.
    threads: usize,
    batches: Option<Batches>,
}

struct MapIterator {
    elements: Ahead,
    batches: Option<Batches>,
}

impl Dataset for Map {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, _: Env<'_>) -> Option<usize> {
        self.batches.map(|batches| batches.size)
    }

    fn cardinality(&self) -> Cardinality {
        let elements = match self.function.preserve_cardinality {
            true => self.input.cardinality(),
            false => Cardinality::Unknown,
        };
        self.batches.map_or(elements, |batches| batches.cardinality(elements))
    }

    fn is_indexed(&self) -> bool {
        self.input.is_indexed() && self.batches.is_none()
    }

    fn at(&self, run: &Run<'_>, position: u64) -> Result<Option<Element>> {
        self.input.at(run, position)?.map_or(Ok(None), |element| self.function.apply(run, element, position))
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let threads = if self.threads > 1 { self.threads } else { 0 };
        let limit = threads.saturating_mul(2);
        let elements = Ahead::new(self.input.iterate(run)?, Some(self.function.clone()), limit, threads);
        Ok(Box::new(MapIterator { elements, batches: self.batches }))
    }
}

impl DatasetIterator for MapIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let Some(batches) = self.batches else { return self.elements.next(run) };
        let batch = batches.collect(|| self.elements.next(run))?;
        batch.map(|batch| stack(run, &batch)).transpose()
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.elements.restore(run, from)
    }
}

/// `MapDataset`.
#[kernel(MapDataset, device = CPU)]
#[kernel(ExperimentalMapDataset, device = CPU)]
pub fn map_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    f: &FuncAttr,
    preserve_cardinality: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let function = DatasetFunction::new(f, other_arguments);
    let function = Arc::new(MapFunction::new(function, output_types, preserve_cardinality));
    let map = Map { input: input_dataset.clone(), function, threads: 1, batches: None };
    DatasetHandle::new(&env, output_types, output_shapes, map)
}

/// `ParallelMapDataset`, whose elements stay in order.
#[kernel(ParallelMapDataset, device = CPU)]
pub fn parallel_map_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    num_parallel_calls: i32,
    f: &FuncAttr,
    preserve_cardinality: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let threads = threads(num_parallel_calls.into(), &env)?;
    let function = DatasetFunction::new(f, other_arguments);
    let function = Arc::new(MapFunction::new(function, output_types, preserve_cardinality));
    let map = Map { input: input_dataset.clone(), function, threads, batches: None };
    DatasetHandle::new(&env, output_types, output_shapes, map)
}

/// `ParallelMapDatasetV2`, whose elements stay in order.
#[kernel(ParallelMapDatasetV2, device = CPU)]
pub fn parallel_map_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    num_parallel_calls: i64,
    f: &FuncAttr,
    preserve_cardinality: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let threads = threads(num_parallel_calls, &env)?;
    let function = DatasetFunction::new(f, other_arguments);
    let function = Arc::new(MapFunction::new(function, output_types, preserve_cardinality));
    let map = Map { input: input_dataset.clone(), function, threads, batches: None };
    DatasetHandle::new(&env, output_types, output_shapes, map)
}

/// `MapAndBatchDataset`.
#[kernel(MapAndBatchDataset, device = CPU)]
#[kernel(ExperimentalMapAndBatchDataset, device = CPU)]
pub fn map_and_batch_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    batch_size: i64,
    num_parallel_calls: i64,
    drop_remainder: bool,
    f: &FuncAttr,
    preserve_cardinality: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (threads, batches) = (threads(num_parallel_calls, &env)?, Batches::new(batch_size, drop_remainder)?);
    let function = DatasetFunction::new(f, other_arguments);
    let function = Arc::new(MapFunction::new(function, output_types, preserve_cardinality));
    let map = Map { input: input_dataset.clone(), function, threads, batches: Some(batches) };
    DatasetHandle::new(&env, output_types, output_shapes, map)
}
