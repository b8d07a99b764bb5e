//! Random numbers without end.

use oplink::prelude::*;
use oplink_ops::data::ExperimentalRandomDataset;
use oplink_ops::data::{RandomDataset, RandomDatasetV2};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::position::{PositionReader, PositionWriter};
use crate::seeds::{Draws, SeedGenerator};
use crate::shuffle::generator;

struct Random(SeedGenerator);

struct RandomIterator {
    seeds: SeedGenerator,
    draws: Draws,
}

impl Dataset for Random {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        Vec::new()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Infinite
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(RandomIterator { seeds: self.0.clone(), draws: Draws::new(self.0.next()) }))
    }
}

impl DatasetIterator for RandomIterator {
    fn next(&mut self, _: &Run<'_>) -> Result<Option<Element>> {
        Ok(Some(vec![Tensor::scalar(i64::from(self.draws.draw()))]))
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.seeds.save(to);
        self.draws.save(to);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.seeds.restore(from)?;
        self.draws.restore(from)
    }
}

fn numbers(
    env: &Env<'_>,
    seeds: SeedGenerator,
    output_types: &[DType],
    output_shapes: &[PartialShape],
) -> Result<DatasetHandle> {
    ensure!(output_types == [DType::Int64], "the numbers are one component of int64, output_types is {output_types:?}");
    DatasetHandle::new(env, output_types, output_shapes, Random(seeds))
}

/// `RandomDataset`: the same numbers in each iteration.
#[kernel(RandomDataset, device = CPU)]
#[kernel(ExperimentalRandomDataset, device = CPU)]
pub fn random_dataset_cpu(
    seed: i64,
    seed2: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    numbers(&env, SeedGenerator::new(seed, seed2, false), output_types, output_shapes)
}

/// `RandomDatasetV2`.
#[kernel(RandomDatasetV2, device = CPU)]
pub fn random_dataset_v2_cpu(
    seed: i64,
    seed2: i64,
    seed_generator: Input<'_>,
    rerandomize_each_iteration: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let seeds = generator(&seed_generator, seed, seed2, rerandomize_each_iteration)?;
    numbers(&env, seeds, output_types, output_shapes)
}
