//! What a function makes of a state and each element.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::ExperimentalScanDataset;
use oplink_ops::data::ScanDataset;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::function::DatasetFunction;
use crate::map::end_or_error;
use crate::position::{PositionReader, PositionWriter};

struct Scan {
    input: DatasetHandle,
    initial_state: Vec<Tensor>,
    step: Arc<ScanFunction>,
}

struct ScanFunction {
    function: DatasetFunction,
    dtypes: Vec<DType>,
    preserve_cardinality: bool,
}

struct ScanIterator {
    elements: Elements,
    state: Vec<Tensor>,
    step: Arc<ScanFunction>,
}

impl Dataset for Scan {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        if self.step.preserve_cardinality { self.input.cardinality() } else { Cardinality::Unknown }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (elements, state, step) = (self.input.iterate(run)?, self.initial_state.clone(), self.step.clone());
        Ok(Box::new(ScanIterator { elements, state, step }))
    }
}

impl DatasetIterator for ScanIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let Some(element) = self.elements.next(run)? else { return Ok(None) };
        let mut arguments = self.state.clone();
        arguments.extend(element);
        let made = self.step.function.call_for(run, arguments, &self.step.dtypes).map(Some);
        let Some(mut made) = end_or_error(made, self.step.preserve_cardinality)? else { return Ok(None) };
        let element = made.split_off(self.state.len());
        self.state = made;
        Ok(Some(element))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put_tensors(&self.state);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.state = from.tensors()?;
        self.elements.restore(run, from)
    }
}

/// `ScanDataset`.
#[kernel(ScanDataset, device = CPU)]
#[kernel(ExperimentalScanDataset, device = CPU)]
pub fn scan_dataset_cpu(
    input_dataset: &DatasetHandle,
    initial_state: &[Tensor],
    other_arguments: &[Tensor],
    f: &FuncAttr,
    preserve_cardinality: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let dtypes = initial_state.iter().map(Tensor::dtype).chain(output_types.iter().copied()).collect();
    let function = DatasetFunction::new(f, other_arguments);
    let step = Arc::new(ScanFunction { function, dtypes, preserve_cardinality });
    let scan = Scan { input: input_dataset.clone(), initial_state: initial_state.to_vec(), step };
    DatasetHandle::new(&env, output_types, output_shapes, scan)
}
