//! One run of a plan.

use std::sync::PoisonError;

use oplink_api::{Error, Result, Step, Tensor, ensure};

use super::{Feed, Plan};
use crate::executor::StepEnv;

/// The values of a run; kept between runs, so that a run allocates nothing but tensors.
#[derive(Debug)]
pub(super) struct Scratch {
    values: Vec<Option<Tensor>>,
    staged: Vec<Tensor>,
}

impl Plan {
    /// Runs once, as part of `step`. `feeds` are in the signature's order, the fetched values are appended to `fetched` in the signature's
    /// order. Runs may overlap.
    ///
    /// # Errors
    /// A feed of the wrong number, dtype or shape; an error or a panic of a kernel, with node, device and inputs.
    /// `fetched` is unchanged then.
    pub(crate) fn run(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        ensure!(feeds.len() == self.feeds.len(), "{} values are fed, {} are needed", feeds.len(), self.feeds.len());
        let mut scratch = self.take_scratch();
        let mut result = self.feed(&mut scratch, feeds);
        if result.is_ok() {
            result = match &self.pool {
                Some(pool) => pool.install(|| self.follow(step, &mut scratch)),
                None => self.follow(step, &mut scratch),
            };
        }
        if result.is_ok() {
            result = self.fetch(&mut scratch, fetched);
        }
        self.give_back(scratch);
        result
    }

    fn take_scratch(&self) -> Scratch {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| {
            let mut values: Vec<_> = self.constants.iter().cloned().map(Some).collect();
            values.resize(self.num_slots, None);
            Scratch { values, staged: Vec::new() }
        })
    }

    /// Drops what a run left behind: unused feeds, and everything after an error.
    fn give_back(&self, mut scratch: Scratch) {
        scratch.staged.clear();
        scratch.values[self.constants.len()..].fill(None);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
    }

    fn feed(&self, scratch: &mut Scratch, feeds: impl Iterator<Item = Tensor>) -> Result<()> {
        for (feed, value) in self.feeds.iter().zip(feeds) {
            if value.dtype() != feed.dtype || !feed.shape.accepts(value.shape()) {
                return Err(wrong_feed(feed, &value));
            }
            scratch.values[feed.slot as usize] = Some(value);
        }
        Ok(())
    }

    fn follow(&self, step: &Step, scratch: &mut Scratch) -> Result<()> {
        let Scratch { values, staged } = scratch;
        let (env, cancellation) = (StepEnv::new(&*self.env, step), step.cancellation());
        let (mut inputs, mut unread) = (self.inputs.as_slice(), self.unread.as_slice());
        for node in &self.nodes {
            cancellation.check()?;
            let (sources, rest) = inputs.split_at(node.num_inputs as usize);
            inputs = rest;
            for source in sources {
                let slot = &mut values[source.slot()];
                let value = if source.is_last() { slot.take() } else { slot.clone() };
                staged.push(value.ok_or_else(missing)?);
            }
            let outputs = &mut values[node.first_output as usize..][..node.num_outputs as usize];
            let result = node.kernel.run(staged, outputs, &env);
            staged.clear();
            result?;
            let (dropped, rest) = unread.split_at(node.num_unread as usize);
            unread = rest;
            for &slot in dropped {
                values[slot as usize] = None;
            }
        }
        Ok(())
    }

    fn fetch(&self, scratch: &mut Scratch, fetched: &mut Vec<Tensor>) -> Result<()> {
        fetched.reserve(self.fetches.len());
        for source in &self.fetches {
            let slot = &mut scratch.values[source.slot()];
            let value = if source.is_last() { slot.take() } else { slot.clone() };
            fetched.push(value.ok_or_else(missing)?);
        }
        Ok(())
    }
}

#[cold]
fn missing() -> Error {
    Error::internal("a node's input was not computed before it")
}

#[cold]
fn wrong_feed(feed: &Feed, value: &Tensor) -> Error {
    let Feed { name, dtype, shape, .. } = feed;
    let message = if value.dtype() == *dtype {
        format!("`{name}` has shape {shape}, the value fed has shape {}", value.shape())
    } else {
        format!("`{name}` is of {dtype}, the value fed is of {}", value.dtype())
    };
    Error::invalid_argument(message).context(format!("feed `{name}`"))
}
