//! One run of the nodes.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use oplink_api::tracer::{NodeRun, Tracer};
use oplink_api::{Error, KernelEnv, Result, Step, Tensor};

use super::{PlannedNode, SequentialExecutor, Source};
use crate::kernels::{Trust, check_promises, dereference, dereference_inputs, wrong_feed_count};

/// The values of a run; kept between runs, so that a run allocates nothing but tensors.
#[derive(Debug)]
pub(super) struct Scratch {
    values: Vec<Option<Tensor>>,
    staged: Vec<Tensor>,
}

impl SequentialExecutor {
    /// Runs once, as part of `step`. `feeds` are in the signature's order, the fetched values are appended to `fetched`
    /// in the signature's order. Runs may overlap.
    ///
    /// # Errors
    /// A feed of the wrong number, dtype or shape; an error or a panic of a kernel, with node, device and inputs; the
    /// step's cancellation. `fetched` is unchanged then.
    pub(crate) fn run(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        if feeds.len() != self.feeds.len() {
            return Err(wrong_feed_count(feeds.len(), self.feeds.len()));
        }
        let mut scratch = self.take_scratch();
        let mut result = self.feed(&mut scratch, feeds);
        if result.is_ok() {
            let pool = self.pool.as_ref().filter(|_| self.spreads.load(Ordering::Relaxed));
            let _entered = pool.map(|pool| pool.enter());
            result = self.follow(step, &mut scratch);
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
            feed.check(&value)?;
            scratch.values[feed.slot as usize] = Some(value);
        }
        Ok(())
    }

    fn follow(&self, step: &Step, scratch: &mut Scratch) -> Result<()> {
        let envs = self.envs.in_step(step, &self.spreads);
        match step.tracer() {
            None => self.follow_with(step, scratch, |node, inputs, outputs| {
                node.kernel.run(inputs, outputs, envs.of(node.env))
            }),
            Some(tracer) => {
                let traced = |node: &PlannedNode, inputs: &mut [Tensor], outputs: &mut [Option<Tensor>]| {
                    run_traced(node, inputs, outputs, envs.of(node.env), tracer)
                };
                self.follow_with(step, scratch, traced)
            }
        }
    }

    #[inline]
    fn follow_with(
        &self,
        step: &Step,
        scratch: &mut Scratch,
        run: impl Fn(&PlannedNode, &mut [Tensor], &mut [Option<Tensor>]) -> Result<()>,
    ) -> Result<()> {
        let Scratch { values, staged } = scratch;
        let (mut inputs, mut unread) = (self.inputs.as_slice(), self.unread.as_slice());
        let (mut promises, trust) = (self.promises.as_slice(), Trust::new());
        let cancellation = step.cancellation();
        for (at, node) in self.nodes.iter().enumerate() {
            cancellation.check()?;
            let (sources, rest) = inputs.split_at(node.num_inputs as usize);
            inputs = rest;
            for source in sources {
                stage(&mut values[source.slot()], source.is_last(), staged)?;
            }
            if node.reads_references {
                dereference_inputs(node.kernel.node(), staged)?;
            }
            let outputs = &mut values[node.first_output as usize..][..node.num_outputs as usize];
            let (promised, rest) = promises.split_at(outputs.len());
            promises = rest;
            let result =
                run(node, staged, outputs).and_then(|()| check_promises(promised, outputs, node.kernel.node(), &trust));
            staged.clear();
            if let Err(error) = result {
                return Err(self.explained(at, error));
            }
            let (dropped, rest) = unread.split_at(node.num_unread as usize);
            unread = rest;
            for &slot in dropped {
                values[slot as usize] = None;
            }
        }
        Ok(())
    }

    /// The error of a node, with where the node comes from.
    #[cold]
    fn explained(&self, at: usize, error: Error) -> Error {
        match self.provenance.binary_search_by_key(&at, |(at, _)| *at) {
            Ok(found) => self.provenance[found].1.explain(error),
            Err(_) => error,
        }
    }

    fn fetch(&self, scratch: &mut Scratch, fetched: &mut Vec<Tensor>) -> Result<()> {
        let before = fetched.len();
        fetched.reserve(self.fetches.len());
        for source in &self.fetches {
            let value = take(&mut scratch.values, *source).ok_or_else(missing);
            let value = if source.is_reference() { value.and_then(|handle| dereference(&handle)) } else { value };
            match value {
                Ok(value) => fetched.push(value),
                Err(error) => {
                    fetched.truncate(before);
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

/// Gives a node the value of a slot, which the last reader takes.
#[inline]
fn stage(slot: &mut Option<Tensor>, is_last: bool, staged: &mut Vec<Tensor>) -> Result<()> {
    match slot {
        Some(value) if !is_last => staged.push(value.clone()),
        Some(value) => {
            // Swapped as a whole: a move field by field waits for those that were just written.
            staged.push(Tensor::empty());
            if let Some(place) = staged.last_mut() {
                std::mem::swap(place, value);
            }
            *slot = None;
        }
        None => return Err(missing()),
    }
    Ok(())
}

/// The value of a slot, which the last reader takes.
#[inline]
fn take(values: &mut [Option<Tensor>], source: Source) -> Option<Tensor> {
    let slot = &mut values[source.slot()];
    if source.is_last() { slot.take() } else { slot.clone() }
}

#[cold]
fn run_traced(
    node: &PlannedNode,
    inputs: &mut [Tensor],
    outputs: &mut [Option<Tensor>],
    env: &dyn KernelEnv,
    tracer: &dyn Tracer,
) -> Result<()> {
    let start = Instant::now();
    node.kernel.run(inputs, outputs, env)?;
    tracer.ran(NodeRun { node: node.kernel.node(), start, end: Instant::now(), outputs });
    Ok(())
}

#[cold]
fn missing() -> Error {
    Error::internal("a node's input was not computed before it")
}
