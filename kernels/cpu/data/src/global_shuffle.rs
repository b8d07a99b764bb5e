//! All elements of a dataset in random order, each found by its position.

use oplink::prelude::*;
use oplink_cpu_support::index_shuffle::{IndexShuffle, KEY_WORDS};
use oplink_ops::data::GlobalShuffleDataset;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Run};
use crate::position::{PositionReader, PositionWriter};
use crate::seeds::SeedGenerator;
use crate::shuffle::generator;

/// Rounds of the cipher that makes the order.
const ROUNDS: usize = 8;

struct GlobalShuffle {
    input: DatasetHandle,
    count: u64,
    seeds: SeedGenerator,
}

struct GlobalShuffleIterator {
    input: DatasetHandle,
    count: u64,
    seeds: SeedGenerator,
    key: [u32; KEY_WORDS],
    order: IndexShuffle,
    given: u64,
}

/// The order of so many elements.
fn order(key: [u32; KEY_WORDS], count: u64) -> IndexShuffle {
    IndexShuffle::new(key, count.saturating_sub(1), ROUNDS)
}

impl Dataset for GlobalShuffle {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Known(self.count)
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (input, count, seeds, key) = (self.input.clone(), self.count, self.seeds.clone(), self.seeds.next_key());
        Ok(Box::new(GlobalShuffleIterator { input, count, seeds, key, order: order(key, count), given: 0 }))
    }
}

impl DatasetIterator for GlobalShuffleIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        if self.given >= self.count {
            return Ok(None);
        }
        let position = self.order.place(self.given, Some(run.step.cancellation()));
        self.given += 1;
        self.input.at(run, position)
    }

    fn save(&mut self, _: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.seeds.save(to);
        self.key.iter().for_each(|&word| to.put(word.into()));
        to.put(self.given as i64);
        Ok(())
    }

    fn restore(&mut self, _: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.seeds.restore(from)?;
        for word in &mut self.key {
            *word = from.number()? as u32;
        }
        self.order = order(self.key, self.count);
        self.given = from.count()?;
        Ok(())
    }
}

/// `GlobalShuffleDataset`.
#[kernel(GlobalShuffleDataset, device = CPU)]
pub fn global_shuffle_dataset_cpu(
    input_dataset: &DatasetHandle,
    seed: i64,
    seed2: i64,
    seed_generator: Input<'_>,
    reshuffle_each_iteration: bool,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    if !input_dataset.is_indexed() {
        let message = format!("elements of {input_dataset} are not found by their positions, use ShuffleDataset");
        return Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message));
    }
    let Cardinality::Known(count @ 1..) = input_dataset.cardinality() else {
        bail!("{input_dataset} must have elements, in a number that is known")
    };
    let seeds = generator(&seed_generator, seed, seed2, reshuffle_each_iteration)?;
    let (dtypes, shapes) = (input_dataset.dtypes(), input_dataset.shapes());
    let shuffle = GlobalShuffle { input: input_dataset.clone(), count, seeds };
    DatasetHandle::new(&env, dtypes, shapes, shuffle)
}
