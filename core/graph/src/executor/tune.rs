//! Choosing between one thread and several for a graph without loops, by trying both: at first, and again from time to
//! time, since other work on the machine may have been in the way.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use oplink_api::{Result, Step, Tensor};

use crate::dataflow::{Dataflow, Threads};
use crate::sequential::SequentialExecutor;

/// The first run, which is like no other, goes one node after the other.
const MEASURE_FROM: u32 = 1;
/// Then nodes are measured.
const TRY_FROM: u32 = 4;
/// Then both executors are tried in turn, in so many runs.
const TRIED: u32 = 8;
/// They are tried again after so many times the runs before the last trial.
const AGAIN_AFTER: u32 = 16;
/// Several threads must be faster than one by this factor.
const LEAST_GAIN: f64 = 1.05;

const ONE: u8 = 0;
const SEVERAL: u8 = 1;

/// Both executors of the same nodes.
pub(super) struct Tuned {
    sequential: SequentialExecutor,
    /// `None` once several threads were found to have nothing to gain.
    dataflow: Mutex<Option<Arc<Dataflow>>>,
    threads: usize,
    choice: AtomicU8,
    runs: AtomicU32,
    /// The first run of the present trial, or of the next one.
    trial: AtomicU32,
    best: Mutex<[Duration; 2]>,
}

impl Tuned {
    pub(super) fn new(sequential: SequentialExecutor, dataflow: Dataflow, threads: usize) -> Self {
        Self {
            sequential,
            dataflow: Mutex::new(Some(Arc::new(dataflow))),
            threads,
            choice: AtomicU8::new(ONE),
            runs: AtomicU32::new(0),
            trial: AtomicU32::new(TRY_FROM),
            best: Mutex::new([Duration::MAX; 2]),
        }
    }

    pub(super) fn sequential(&self) -> &SequentialExecutor {
        &self.sequential
    }

    pub(super) fn run(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        let dataflow = self.dataflow.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(dataflow) = dataflow else { return self.sequential.run(step, feeds, fetched) };
        let (run, trial) = (self.runs.fetch_add(1, Ordering::Relaxed), self.trial.load(Ordering::Relaxed));
        if (MEASURE_FROM..TRY_FROM).contains(&run) {
            let result = dataflow.run(step, feeds, fetched, Threads::Never);
            if run == TRY_FROM - 1 && !dataflow.could_gain(self.threads) {
                *self.dataflow.lock().unwrap_or_else(PoisonError::into_inner) = None;
            }
            return result;
        }
        let is_tried = (trial..trial.saturating_add(TRIED)).contains(&run);
        let several = if is_tried { run % 2 == 1 } else { self.choice.load(Ordering::Relaxed) == SEVERAL };
        let start = is_tried.then(Instant::now);
        let result = match several {
            true => dataflow.run(step, feeds, fetched, Threads::FromStart),
            false => self.sequential.run(step, feeds, fetched),
        };
        if let Some(start) = start {
            self.tried(several, start.elapsed());
            if run == trial + TRIED - 1 {
                self.decide(trial);
            }
        }
        result
    }

    fn tried(&self, several: bool, took: Duration) {
        let best = &mut self.best.lock().unwrap_or_else(PoisonError::into_inner)[usize::from(several)];
        *best = took.min(*best);
    }

    /// Chooses by the present trial, and plans the next one.
    fn decide(&self, trial: u32) {
        let best = &mut *self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let [one, several] = std::mem::replace(best, [Duration::MAX; 2]);
        let gains = several < Duration::MAX && several.as_secs_f64() * LEAST_GAIN < one.as_secs_f64();
        self.choice.store(if gains { SEVERAL } else { ONE }, Ordering::Relaxed);
        self.trial.store(trial.saturating_mul(AGAIN_AFTER), Ordering::Relaxed);
    }
}
