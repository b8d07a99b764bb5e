//! Generators of the seeds of iterators.

use std::sync::{Arc, Mutex, PoisonError};

use oplink::prelude::*;
use oplink::resource::{ResourceInfo, Variant};
use oplink_ops::data::{
    AnonymousRandomSeedGenerator, AnonymousSeedGenerator, DeleteRandomSeedGenerator, DeleteSeedGenerator,
    DummyMemoryCache, DummySeedGenerator,
};
use oplink_ops::philox::{Philox, Singles};

use crate::position::{PositionReader, PositionWriter};

/// Gives each iterator of a dataset the seeds of its random numbers.
#[derive(Clone)]
pub struct SeedGenerator(Arc<Seeds>);

enum Seeds {
    Fixed { first: Philox, seeds: [i64; 2] },
    Random(Mutex<Draws>),
}

impl Seeds {
    /// The same seeds for all iterators; where both are 0, numbers that nobody can foretell.
    fn fixed(first: Philox, seeds: [i64; 2]) -> Self {
        let mut numbers = Draws::new(first);
        let seeds = if seeds == [0, 0] { [(); 2].map(|()| i64::from(numbers.draw())) } else { seeds };
        Self::Fixed { first, seeds }
    }
}

impl SeedGenerator {
    /// Seeds of random numbers, or the same ones again without `reshuffle`. With both seeds 0 nobody can foretell them.
    pub fn new(seed: i64, seed2: i64, reshuffle: bool) -> Self {
        let first = Philox::from_seeds(seed, seed2);
        Self(Arc::new(if reshuffle {
            Seeds::Random(Mutex::new(Draws::new(first)))
        } else {
            Seeds::fixed(first, [seed, seed2])
        }))
    }

    /// The key of the next iterator's order: three of four numbers.
    pub(crate) fn next_key(&self) -> [u32; 3] {
        match &*self.0 {
            Seeds::Fixed { seeds: [seed, seed2], .. } => [*seed as u32, *seed2 as u32, *seed as u32],
            Seeds::Random(numbers) => {
                let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
                let [first, second, third, _] = [(); 4].map(|()| numbers.draw());
                [first, second, third]
            }
        }
    }

    /// Where the random numbers of the next iterator begin.
    pub fn next(&self) -> Philox {
        match &*self.0 {
            Seeds::Fixed { first, .. } => *first,
            Seeds::Random(numbers) => {
                let mut numbers = numbers.lock().unwrap_or_else(PoisonError::into_inner);
                let (low, high) = (numbers.draw(), numbers.draw());
                Philox::new(low.into(), u128::from(high) << 64)
            }
        }
    }
}

impl SeedGenerator {
    /// Writes which seeds come next.
    pub(crate) fn save(&self, to: &mut PositionWriter) {
        if let Seeds::Random(numbers) = &*self.0 {
            numbers.lock().unwrap_or_else(PoisonError::into_inner).save(to);
        }
    }

    /// Goes on with the seeds that came next then, for everybody who uses the generator.
    pub(crate) fn restore(&self, from: &mut PositionReader<'_>) -> Result<()> {
        match &*self.0 {
            Seeds::Random(numbers) => numbers.lock().unwrap_or_else(PoisonError::into_inner).restore(from),
            Seeds::Fixed { .. } => Ok(()),
        }
    }
}

impl Resource for SeedGenerator {
    fn type_name(&self) -> &'static str {
        "seed generator"
    }
}

/// The random numbers of an iterator.
pub(crate) struct Draws {
    first: Philox,
    numbers: Singles,
    drawn: u64,
}

impl Draws {
    /// The numbers from a position on.
    pub(crate) fn new(first: Philox) -> Self {
        Self { first, numbers: Singles::new(first), drawn: 0 }
    }

    /// The next number.
    pub(crate) fn draw(&mut self) -> u32 {
        self.drawn += 1;
        self.numbers.draw()
    }

    /// Writes the position.
    pub(crate) fn save(&self, to: &mut PositionWriter) {
        let (key, counter) = (self.first.key(), self.first.counter());
        [key, (counter >> 64) as u64, counter as u64, self.drawn].into_iter().for_each(|part| to.put(part as i64));
    }

    /// Goes on from a position.
    pub(crate) fn restore(&mut self, from: &mut PositionReader<'_>) -> Result<()> {
        let (key, high, low) = (from.number()? as u64, from.number()? as u64, from.number()? as u64);
        self.first = Philox::new(key, u128::from(high) << 64 | u128::from(low));
        self.drawn = from.count()?;
        self.numbers = Singles::starting_at(self.first, self.drawn);
        Ok(())
    }
}

/// A handle to an object of its own, which goes with its last handle.
pub(crate) fn anonymous<T: Resource>(env: Env<'_>, object: T) -> Result<Tensor> {
    let (name, device) = (env.node().name.clone(), env.node().device.clone());
    let info = ResourceInfo { name, device, type_name: object.type_name().to_owned(), ..ResourceInfo::default() };
    let handle = ResourceHandle::new(info);
    handle.get_or_create(|| Ok(object))?;
    Ok(Tensor::scalar(handle))
}

/// A handle that refers to nothing. Its type is the op that makes it.
pub(crate) fn dummy(env: Env<'_>) -> Tensor {
    let (name, device, type_name) = (env.node().name.clone(), env.node().device.clone(), env.node().op.name.clone());
    Tensor::scalar(ResourceHandle::new(ResourceInfo { name, device, type_name, ..ResourceInfo::default() }))
}

/// The op that makes the handle, where it refers to nothing.
pub(crate) fn op_of_dummy(handle: &ResourceHandle) -> Option<&'static str> {
    let made_by = &handle.info().filter(|_| !handle.exists())?.type_name;
    [DummySeedGenerator::NAME, DummyMemoryCache::NAME].into_iter().find(|op| op == made_by)
}

/// `AnonymousSeedGenerator`.
#[kernel(AnonymousSeedGenerator, device = CPU)]
pub fn anonymous_seed_generator_cpu(seed: i64, seed2: i64, reshuffle: bool, env: Env<'_>) -> Result<(Tensor, Tensor)> {
    Ok((anonymous(env, SeedGenerator::new(seed, seed2, reshuffle))?, Tensor::scalar(Variant::default())))
}

/// `AnonymousRandomSeedGenerator`.
#[kernel(AnonymousRandomSeedGenerator, device = CPU)]
pub fn anonymous_random_seed_generator_cpu(seed: i64, seed2: i64, env: Env<'_>) -> Result<(Tensor, Tensor)> {
    Ok((anonymous(env, SeedGenerator::new(seed, seed2, true))?, Tensor::scalar(Variant::default())))
}

/// `DummySeedGenerator`.
#[kernel(DummySeedGenerator, device = CPU)]
pub fn dummy_seed_generator_cpu(env: Env<'_>) -> Tensor {
    dummy(env)
}

/// `DeleteSeedGenerator` and `DeleteRandomSeedGenerator`.
#[kernel(DeleteSeedGenerator, device = CPU)]
#[kernel(DeleteRandomSeedGenerator, device = CPU)]
pub fn delete_seed_generator_cpu(handle: Input<'_>, deleter: &Tensor) -> Result<()> {
    let _ = deleter;
    handle.handle()?.destroy();
    Ok(())
}
