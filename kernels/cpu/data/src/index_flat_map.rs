//! The rows of what a function makes of elements, which another function finds by their numbers.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::IndexFlatMapDataset;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::function::DatasetFunction;
use crate::position::{PositionReader, PositionWriter};
use crate::sources::row;

struct Functions {
    map: DatasetFunction,
    index_map: DatasetFunction,
    dtypes: Vec<DType>,
}

struct IndexFlatMap {
    input: DatasetHandle,
    functions: Arc<Functions>,
    cardinality: i64,
}

struct IndexFlatMapIterator {
    input: Elements,
    functions: Arc<Functions>,
    /// Rows that were given.
    given: i64,
    /// The element that the rows are of, as the function numbers it.
    element: u64,
    /// What the function made of it; nothing before the first.
    rows: Element,
}

impl Dataset for IndexFlatMap {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        match (u64::try_from(self.cardinality), self.cardinality) {
            (Ok(count), _) => Cardinality::Known(count),
            (_, -1) => Cardinality::Infinite,
            _ => Cardinality::Unknown,
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (input, functions) = (self.input.iterate(run)?, self.functions.clone());
        Ok(Box::new(IndexFlatMapIterator { input, functions, given: 0, element: 0, rows: Element::new() }))
    }
}

impl Functions {
    /// The element that a row is of, and where in it.
    fn find(&self, run: &Run<'_>, number: i64) -> Result<[u64; 2]> {
        let results = self.index_map.call(run, vec![Tensor::scalar(number)])?;
        let [element, offset] = &results[..] else {
            bail!("index_map_func must return an element's number and an offset, it returns {}", results.len())
        };
        Ok([index(element)?, index(offset)?])
    }
}

/// A number that the function returns; negative ones are beyond all others.
fn index(tensor: &Tensor) -> Result<u64> {
    match tensor.dtype() {
        DType::Int64 => Ok(tensor.to_scalar::<i64>()? as u64),
        DType::Int32 => Ok(i64::from(tensor.to_scalar::<i32>()?) as u64),
        DType::UInt64 => tensor.to_scalar::<u64>(),
        DType::UInt32 => tensor.to_scalar::<u32>().map(u64::from),
        other => bail!("index_map_func must return two numbers of int32 or int64, it returns one of {other}"),
    }
}

/// The row of a component; a scalar is its own only row.
fn row_at(tensor: &Tensor, offset: u64) -> Result<Tensor> {
    let Some(&rows) = tensor.shape().first() else { return Ok(tensor.clone()) };
    match usize::try_from(offset) {
        Ok(at) if at < rows => row(tensor, at),
        _ => bail!("index_map_func returns offset {offset}, the element has {rows} rows"),
    }
}

impl DatasetIterator for IndexFlatMapIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let [element, offset] = self.functions.find(run, self.given)?;
        if element > self.element || self.rows.is_empty() {
            self.rows.clear();
            let Some(next) = self.input.next(run)? else { return Ok(None) };
            self.rows = self.functions.map.call_for(run, next, &self.functions.dtypes)?;
            self.element = element;
        }
        let rows = self.rows.iter().map(|component| row_at(component, offset)).collect::<Result<_>>()?;
        self.given += 1;
        Ok(Some(rows))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.given);
        to.put(self.element as i64);
        to.put_tensors(&self.rows);
        self.input.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.given, self.element) = (from.number()?, from.number()? as u64);
        self.rows = from.tensors()?;
        self.input.restore(run, from)
    }
}

/// `IndexFlatMapDataset`.
#[kernel(IndexFlatMapDataset, device = CPU)]
pub fn index_flat_map_dataset_cpu(
    input_dataset: &DatasetHandle,
    map_func_other_args: &[Tensor],
    index_map_func_other_args: &[Tensor],
    output_cardinality: i64,
    map_func: &FuncAttr,
    index_map_func: &FuncAttr,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let map = DatasetFunction::new(map_func, map_func_other_args);
    let index_map = DatasetFunction::new(index_map_func, index_map_func_other_args);
    let functions = Arc::new(Functions { map, index_map, dtypes: output_types.to_vec() });
    let dataset = IndexFlatMap { input: input_dataset.clone(), functions, cardinality: output_cardinality };
    DatasetHandle::new(&env, output_types, output_shapes, dataset)
}
