//! The elements of several datasets in the order that another gives.

use oplink::prelude::*;
use oplink_ops::data::DirectedInterleaveDataset;
use oplink_ops::data::ExperimentalDirectedInterleaveDataset;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::order::{datasets, restored};
use crate::position::{PositionReader, PositionWriter};

struct Directed {
    selector: DatasetHandle,
    inputs: Vec<DatasetHandle>,
    stop_on_empty: bool,
}

struct DirectedIterator {
    selector: Elements,
    datasets: Vec<DatasetHandle>,
    inputs: Vec<Option<Elements>>,
    stop_on_empty: bool,
}

impl Dataset for Directed {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        std::iter::once(&self.selector).chain(&self.inputs).collect()
    }

    fn cardinality(&self) -> Cardinality {
        let mut sum = Cardinality::Known(0);
        for input in &self.inputs {
            sum = match (sum, input.cardinality()) {
                (_, Cardinality::Unknown) => return Cardinality::Unknown,
                (Cardinality::Known(a), Cardinality::Known(b)) => Cardinality::Known(a.saturating_add(b)),
                _ => Cardinality::Infinite,
            };
        }
        let finite = sum != Cardinality::Infinite && self.selector.cardinality() == Cardinality::Infinite;
        if finite && !self.stop_on_empty { sum } else { Cardinality::Unknown }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (datasets, stop_on_empty) = (self.inputs.clone(), self.stop_on_empty);
        let inputs = datasets.iter().map(|input| input.iterate(run).map(Some)).collect::<Result<_>>()?;
        Ok(Box::new(DirectedIterator { selector: self.selector.iterate(run)?, datasets, inputs, stop_on_empty }))
    }
}

impl DatasetIterator for DirectedIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while self.inputs.iter().any(Option::is_some) {
            let Some(selected) = self.selector.next(run)? else { return Ok(None) };
            let [number] = &selected[..] else { bail!("the selecting dataset must have one component") };
            let (number, count) = (number.to_scalar::<i64>()?, self.inputs.len());
            let input = usize::try_from(number).ok().and_then(|number| self.inputs.get_mut(number));
            let Some(input) = input else { bail!("dataset {number} was selected, of {count}") };
            let Some(elements) = input else { continue };
            if let Some(element) = elements.next(run)? {
                return Ok(Some(element));
            }
            *input = None;
            if self.stop_on_empty {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.selector.save(run, to)?;
        self.inputs.iter_mut().try_for_each(|input| to.put_optional(run, input.as_mut()))
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.selector.restore(run, from)?;
        for (dataset, input) in self.datasets.iter().zip(&mut self.inputs) {
            *input = restored(dataset, run, from)?;
        }
        Ok(())
    }
}

fn directed(
    env: &Env<'_>,
    selector: &DatasetHandle,
    inputs: &[Tensor],
    stop_on_empty: bool,
    (output_types, output_shapes): (&[DType], &[PartialShape]),
) -> Result<DatasetHandle> {
    let (selector, inputs) = (selector.clone(), datasets(inputs, "data_input_datasets")?);
    let one = selector.dtypes() == [DType::Int64];
    ensure!(one, "the selecting {selector} must have one component of int64, it has {:?}", selector.dtypes());
    for input in &inputs {
        let same = input.dtypes() == output_types;
        ensure!(same, "{input} has elements of {:?}, output_types is {output_types:?}", input.dtypes());
    }
    let directed = Directed { selector, inputs, stop_on_empty };
    DatasetHandle::new(env, output_types, output_shapes, directed)
}

/// `DirectedInterleaveDataset`.
#[kernel(DirectedInterleaveDataset, device = CPU)]
pub fn directed_interleave_dataset_cpu(
    selector_input_dataset: &DatasetHandle,
    data_input_datasets: &[Tensor],
    stop_on_empty_dataset: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (stop, declared) = (stop_on_empty_dataset, (output_types, output_shapes));
    directed(&env, selector_input_dataset, data_input_datasets, stop, declared)
}

/// `ExperimentalDirectedInterleaveDataset`.
#[kernel(ExperimentalDirectedInterleaveDataset, device = CPU)]
pub fn experimental_directed_interleave_dataset_cpu(
    selector_input_dataset: &DatasetHandle,
    data_input_datasets: &[Tensor],
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    directed(&env, selector_input_dataset, data_input_datasets, false, (output_types, output_shapes))
}
