//! Some of the elements of a dataset.

use std::collections::HashSet;
use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::{ExperimentalTakeWhileDataset, ExperimentalUniqueDataset};
use oplink_ops::data::{
    FilterByLastComponentDataset, FilterDataset, ParallelFilterDataset, TakeWhileDataset, UniqueDataset,
};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::function::DatasetFunction;
use crate::position::{PositionReader, PositionWriter};

/// Which elements there are.
enum Choice {
    /// Those for which a function is true.
    Where(DatasetFunction),
    /// Those before the first for which a function is false.
    While(DatasetFunction),
    /// Those whose last component is true, without it.
    LastComponent,
    /// Those that were not there before.
    Unique,
}

struct Filter {
    input: DatasetHandle,
    choice: Arc<Choice>,
    /// Whether `ComputeBatchSize` is to know the size of the input's batches, as in TensorFlow.
    passes_batch_size: bool,
    /// The tags of the numbers of elements that are left out and given, where they are recorded.
    tags: Option<Arc<[Vec<u8>; 2]>>,
}

struct FilterIterator {
    elements: Elements,
    choice: Arc<Choice>,
    seen: HashSet<Vec<u8>>,
    tags: Option<Arc<[Vec<u8>; 2]>>,
    /// How many elements were left out and given.
    counts: [u64; 2],
}

impl FilterIterator {
    fn count(&mut self, run: &Run<'_>, taken: bool) -> Result<()> {
        let (which, given) = (usize::from(taken), self.counts[1]);
        self.counts[which] += 1;
        match (run.statistics, &self.tags) {
            (Some(statistics), Some(tags)) => statistics.set(&tags[which], self.counts[which] as f32, given),
            _ => Ok(()),
        }
    }
}

impl Dataset for Filter {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        if self.passes_batch_size { self.input.batch_size(env) } else { None }
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (elements, choice, tags) = (self.input.iterate(run)?, self.choice.clone(), self.tags.clone());
        Ok(Box::new(FilterIterator { elements, choice, seen: HashSet::new(), tags, counts: [0; 2] }))
    }
}

impl DatasetIterator for FilterIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while let Some(mut element) = self.elements.next(run)? {
            let taken = match &*self.choice {
                Choice::Where(predicate) => predicate.call_for_scalar(run, element.clone())?,
                Choice::While(predicate) => {
                    if !predicate.call_for_scalar::<bool>(run, element.clone())? {
                        return Ok(None);
                    }
                    true
                }
                Choice::LastComponent => match element.pop() {
                    Some(last) => last.to_scalar().map_err(|error| error.context("the last component"))?,
                    None => bail!("the elements have no components"),
                },
                Choice::Unique => self.seen.insert(key(&element)?),
            };
            self.count(run, taken)?;
            if taken {
                return Ok(Some(element));
            }
        }
        Ok(None)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        let seen: Vec<TString> = self.seen.iter().map(|key| TString::new(key.clone())).collect();
        to.put_tensors(&[Tensor::from(seen)]);
        self.counts.iter().for_each(|&count| to.put(count as i64));
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        for tensor in from.tensors()? {
            self.seen.extend(tensor.as_slice::<TString>()?.iter().map(|key| key.as_bytes().to_vec()));
        }
        self.counts = [from.count()?, from.count()?];
        self.elements.restore(run, from)
    }
}

/// What two elements of one component have in common only where they are equal.
fn key(element: &Element) -> Result<Vec<u8>> {
    let [component] = &element[..] else { bail!("elements must have one component, they have {}", element.len()) };
    let mut key: Vec<u8> = component.shape().iter().flat_map(|extent| extent.to_le_bytes()).collect();
    match component.dtype() {
        DType::String => {
            for string in component.as_slice::<TString>()? {
                key.extend(string.as_bytes().len().to_le_bytes());
                key.extend(string.as_bytes());
            }
        }
        DType::Int32 | DType::Int64 => key.extend(component.as_bytes()?),
        other => bail!("elements must be int32, int64 or strings to be told apart, they are {other}"),
    }
    Ok(key)
}

/// The variant of the dataset; with what TensorFlow has of `FilterDataset` alone where it `is_plain`.
fn chosen(
    env: &Env<'_>,
    input: &DatasetHandle,
    (choice, is_plain): (Choice, bool),
    output_types: &[DType],
    output_shapes: &[PartialShape],
) -> Result<DatasetHandle> {
    let tag = |what: &str| format!("{}::{what}_elements", env.node().name).into_bytes();
    let tags = is_plain.then(|| Arc::new(["dropped", "filtered"].map(tag)));
    let filter = Filter { input: input.clone(), choice: Arc::new(choice), passes_batch_size: is_plain, tags };
    DatasetHandle::new(env, output_types, output_shapes, filter)
}

/// `FilterDataset`.
#[kernel(FilterDataset, device = CPU)]
pub fn filter_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    predicate: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let choice = Choice::Where(DatasetFunction::new(predicate, other_arguments));
    chosen(&env, input_dataset, (choice, true), output_types, output_shapes)
}

/// `ParallelFilterDataset`, whose elements stay in order.
#[kernel(ParallelFilterDataset, device = CPU)]
pub fn parallel_filter_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    predicate: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let choice = Choice::Where(DatasetFunction::new(predicate, other_arguments));
    chosen(&env, input_dataset, (choice, false), output_types, output_shapes)
}

/// `TakeWhileDataset`.
#[kernel(TakeWhileDataset, device = CPU)]
#[kernel(ExperimentalTakeWhileDataset, device = CPU)]
pub fn take_while_dataset_cpu(
    input_dataset: &DatasetHandle,
    other_arguments: &[Tensor],
    predicate: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let choice = Choice::While(DatasetFunction::new(predicate, other_arguments));
    chosen(&env, input_dataset, (choice, false), output_types, output_shapes)
}

/// `FilterByLastComponentDataset`.
#[kernel(FilterByLastComponentDataset, device = CPU)]
pub fn filter_by_last_component_dataset_cpu(
    input_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    chosen(&env, input_dataset, (Choice::LastComponent, false), output_types, output_shapes)
}

/// `UniqueDataset`.
#[kernel(UniqueDataset, device = CPU)]
#[kernel(ExperimentalUniqueDataset, device = CPU)]
pub fn unique_dataset_cpu(
    input_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    chosen(&env, input_dataset, (Choice::Unique, false), output_types, output_shapes)
}
