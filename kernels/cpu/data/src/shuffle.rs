//! Elements in random order.

use std::collections::VecDeque;
use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::{
    ShuffleAndRepeatDataset, ShuffleAndRepeatDatasetV2, ShuffleDataset, ShuffleDatasetV2, ShuffleDatasetV3,
};

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::order::restored;
use crate::position::{PositionReader, PositionWriter};
use crate::seeds::{Draws, SeedGenerator};

/// Epochs of which elements are kept at once, at most.
const MOST_EPOCHS: usize = 3;

struct Shuffle {
    input: DatasetHandle,
    buffer_size: usize,
    /// Epochs; without end where `None`.
    count: Option<u64>,
    seeds: SeedGenerator,
}

struct ShuffleIterator {
    input: DatasetHandle,
    seeds: SeedGenerator,
    buffer_size: usize,
    count: Option<u64>,
    elements: Option<Elements>,
    /// Epochs that were begun.
    epochs: u64,
    /// The elements that are kept, by epochs, the first ones first.
    kept: VecDeque<VecDeque<Element>>,
    num_kept: usize,
    /// Whether there ever was an element.
    any: bool,
    draws: Draws,
}

impl Dataset for Shuffle {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, env: Env<'_>) -> Option<usize> {
        self.input.batch_size(env)
    }

    fn cardinality(&self) -> Cardinality {
        match (self.input.cardinality(), self.count) {
            (Cardinality::Known(0), _) => Cardinality::Known(0),
            (Cardinality::Infinite, _) | (_, None) => Cardinality::Infinite,
            (Cardinality::Known(size), Some(count)) => Cardinality::Known(size.saturating_mul(count)),
            (Cardinality::Unknown, _) => Cardinality::Unknown,
        }
    }

    fn iterate(&self, _: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(ShuffleIterator {
            input: self.input.clone(),
            seeds: self.seeds.clone(),
            buffer_size: self.buffer_size,
            count: self.count,
            elements: None,
            epochs: 0,
            kept: VecDeque::new(),
            num_kept: 0,
            any: false,
            draws: Draws::new(self.seeds.next()),
        }))
    }
}

impl ShuffleIterator {
    fn wants_more(&self) -> bool {
        let over = self.elements.is_none() && self.count.is_some_and(|count| self.epochs >= count);
        let too_many = self.kept.len() > MOST_EPOCHS && self.num_kept > 0;
        !over && !too_many && self.num_kept < self.buffer_size
    }

    fn fill(&mut self, run: &Run<'_>) -> Result<()> {
        while self.wants_more() {
            let elements = match &mut self.elements {
                Some(elements) => elements,
                None => {
                    self.kept.push_back(VecDeque::new());
                    self.epochs += 1;
                    self.elements.insert(self.input.iterate(run)?)
                }
            };
            match (elements.next(run)?, self.kept.back_mut()) {
                (Some(element), Some(epoch)) => {
                    epoch.try_reserve(1).map_err(|_| oplink::memory::exhausted(size_of::<Element>() * epoch.len()))?;
                    epoch.push_back(element);
                    self.num_kept += 1;
                    self.any = true;
                }
                _ => {
                    self.elements = None;
                    if !self.any && self.count.is_none() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

impl DatasetIterator for ShuffleIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        self.fill(run)?;
        if self.num_kept == 0 {
            return Ok(None);
        }
        while self.kept.front().is_some_and(VecDeque::is_empty) {
            self.kept.pop_front();
            self.draws = Draws::new(self.seeds.next());
        }
        let Some(epoch) = self.kept.front_mut() else { return Ok(None) };
        let at = self.draws.draw() as usize % epoch.len();
        epoch.swap(0, at);
        self.num_kept -= 1;
        Ok(epoch.pop_front())
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.seeds.save(to);
        self.draws.save(to);
        to.put(self.epochs as i64);
        to.put_flag(self.any);
        to.put(self.kept.len() as i64);
        self.kept.iter().for_each(|epoch| to.put_elements(epoch.iter()));
        to.put_optional(run, self.elements.as_mut())
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.seeds.restore(from)?;
        self.draws.restore(from)?;
        (self.epochs, self.any) = (from.count()?, from.flag()?);
        self.kept = (0..from.count()?).map(|_| from.elements()).collect::<Result<_>>()?;
        self.num_kept = self.kept.iter().map(VecDeque::len).sum();
        self.elements = restored(&self.input, run, from)?;
        Ok(())
    }
}

/// A shuffling dataset; a `buffer_size` of -2 keeps all elements.
fn shuffled(
    env: &Env<'_>,
    (input, buffer_size): (&DatasetHandle, i64),
    seeds: SeedGenerator,
    count: i64,
    (output_types, output_shapes): (&[DType], &[PartialShape]),
) -> Result<DatasetHandle> {
    ensure!(buffer_size > 0 || buffer_size == -2, "buffer_size must be greater than 0, it is {buffer_size}");
    ensure!(count > 0 || count == -1, "count must be greater than 0, or -1 to repeat without end; it is {count}");
    let (buffer_size, count) = (usize::try_from(buffer_size).unwrap_or(usize::MAX), u64::try_from(count).ok());
    let shuffle = Shuffle { input: input.clone(), buffer_size, count, seeds };
    DatasetHandle::new(env, output_types, output_shapes, shuffle)
}

/// The generator that a handle refers to; one of the seeds where it refers to none.
pub(crate) fn generator(handle: &Input<'_>, seed: i64, seed2: i64, reshuffle: bool) -> Result<SeedGenerator> {
    if handle.handle()?.exists() {
        let generator: Arc<SeedGenerator> = handle.resource()?;
        return Ok(SeedGenerator::clone(&generator));
    }
    Ok(SeedGenerator::new(seed, seed2, reshuffle))
}

/// `ShuffleDataset`.
#[kernel(ShuffleDataset, device = CPU)]
pub fn shuffle_dataset_cpu(
    input_dataset: &DatasetHandle,
    buffer_size: i64,
    seed: i64,
    seed2: i64,
    reshuffle_each_iteration: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let seeds = SeedGenerator::new(seed, seed2, reshuffle_each_iteration);
    shuffled(&env, (input_dataset, buffer_size), seeds, 1, (output_types, output_shapes))
}

/// `ShuffleDatasetV2`.
#[kernel(ShuffleDatasetV2, device = CPU)]
pub fn shuffle_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    buffer_size: i64,
    seed_generator: Arc<SeedGenerator>,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let seeds = SeedGenerator::clone(&seed_generator);
    shuffled(&env, (input_dataset, buffer_size), seeds, 1, (output_types, output_shapes))
}

/// `ShuffleDatasetV3`.
#[kernel(ShuffleDatasetV3, device = CPU)]
pub fn shuffle_dataset_v3_cpu(
    input_dataset: &DatasetHandle,
    buffer_size: i64,
    seed: i64,
    seed2: i64,
    seed_generator: Input<'_>,
    reshuffle_each_iteration: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let seeds = generator(&seed_generator, seed, seed2, reshuffle_each_iteration)?;
    shuffled(&env, (input_dataset, buffer_size), seeds, 1, (output_types, output_shapes))
}

/// `ShuffleAndRepeatDataset`.
#[kernel(ShuffleAndRepeatDataset, device = CPU)]
pub fn shuffle_and_repeat_dataset_cpu(
    input_dataset: &DatasetHandle,
    buffer_size: i64,
    seed: i64,
    seed2: i64,
    count: i64,
    reshuffle_each_iteration: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let seeds = SeedGenerator::new(seed, seed2, reshuffle_each_iteration);
    shuffled(&env, (input_dataset, buffer_size), seeds, count, (output_types, output_shapes))
}

/// `ShuffleAndRepeatDatasetV2`.
#[kernel(ShuffleAndRepeatDatasetV2, device = CPU)]
pub fn shuffle_and_repeat_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    buffer_size: i64,
    seed: i64,
    seed2: i64,
    count: i64,
    seed_generator: Input<'_>,
    reshuffle_each_iteration: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let seeds = generator(&seed_generator, seed, seed2, reshuffle_each_iteration)?;
    shuffled(&env, (input_dataset, buffer_size), seeds, count, (output_types, output_shapes))
}
