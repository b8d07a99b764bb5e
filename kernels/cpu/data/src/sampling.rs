//! A random part of the elements.

use oplink::prelude::*;
use oplink_ops::data::SamplingDataset;
use oplink_ops::philox::{Philox, single};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};
use crate::seeds::Draws;

struct Sampling {
    input: DatasetHandle,
    rate: f32,
    first: Philox,
}

struct SamplingIterator {
    elements: Elements,
    rate: f32,
    draws: Draws,
}

impl Dataset for Sampling {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Known(0) => Cardinality::Known(0),
            _ => Cardinality::Unknown,
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (elements, rate, draws) = (self.input.iterate(run)?, self.rate, Draws::new(self.first));
        Ok(Box::new(SamplingIterator { elements, rate, draws }))
    }
}

impl DatasetIterator for SamplingIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while let Some(element) = self.elements.next(run)? {
            if single(self.draws.draw()) < self.rate {
                return Ok(Some(element));
            }
        }
        Ok(None)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.draws.save(to);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.draws.restore(from)?;
        self.elements.restore(run, from)
    }
}

/// `SamplingDataset`.
#[kernel(SamplingDataset, device = CPU)]
pub fn sampling_dataset_cpu(
    input_dataset: &DatasetHandle,
    rate: f32,
    seed: i64,
    seed2: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let sampling = Sampling { input: input_dataset.clone(), rate, first: Philox::from_seeds(seed, seed2) };
    DatasetHandle::new(&env, output_types, output_shapes, sampling)
}
