//! Choosing between one thread and several for a graph without loops, by trying both.

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
/// Then both executors are tried in turn.
const DECIDE_AT: u32 = 12;
/// Several threads must be faster than one by this factor.
const LEAST_GAIN: f64 = 1.05;

const UNDECIDED: u8 = 0;
const ONE: u8 = 1;
const SEVERAL: u8 = 2;

/// Both executors of the same nodes.
pub(super) struct Tuned {
    sequential: SequentialExecutor,
    /// `None` once one thread was found to be better.
    dataflow: Mutex<Option<Arc<Dataflow>>>,
    threads: usize,
    choice: AtomicU8,
    runs: AtomicU32,
    best: Mutex<[Duration; 2]>,
}

impl Tuned {
    pub(super) fn new(sequential: SequentialExecutor, dataflow: Dataflow, threads: usize) -> Self {
        Self {
            sequential,
            dataflow: Mutex::new(Some(Arc::new(dataflow))),
            threads,
            choice: AtomicU8::new(UNDECIDED),
            runs: AtomicU32::new(0),
            best: Mutex::new([Duration::MAX; 2]),
        }
    }

    pub(super) fn sequential(&self) -> &SequentialExecutor {
        &self.sequential
    }

    #[inline]
    pub(super) fn run(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        match self.choice.load(Ordering::Relaxed) {
            ONE => self.sequential.run(step, feeds, fetched),
            _ => self.run_dataflow(step, feeds, fetched),
        }
    }

    fn run_dataflow(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        let dataflow = self.dataflow.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(dataflow) = dataflow else { return self.sequential.run(step, feeds, fetched) };
        if self.choice.load(Ordering::Relaxed) == SEVERAL {
            return dataflow.run(step, feeds, fetched, Threads::FromStart);
        }
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        match run {
            ..MEASURE_FROM | DECIDE_AT.. => self.sequential.run(step, feeds, fetched),
            ..TRY_FROM => {
                let result = dataflow.run(step, feeds, fetched, Threads::Never);
                if run == TRY_FROM - 1 && !dataflow.could_gain(self.threads) {
                    self.choose(ONE);
                }
                result
            }
            _ => {
                let several = run % 2 == 1;
                let start = Instant::now();
                let result = if several {
                    dataflow.run(step, feeds, fetched, Threads::FromStart)
                } else {
                    self.sequential.run(step, feeds, fetched)
                };
                self.tried(several, start.elapsed());
                if run == DECIDE_AT - 1 {
                    self.decide();
                }
                result
            }
        }
    }

    fn tried(&self, several: bool, took: Duration) {
        let best = &mut self.best.lock().unwrap_or_else(PoisonError::into_inner)[usize::from(several)];
        *best = took.min(*best);
    }

    fn decide(&self) {
        let [one, several] = *self.best.lock().unwrap_or_else(PoisonError::into_inner);
        let gains = several < Duration::MAX && several.as_secs_f64() * LEAST_GAIN < one.as_secs_f64();
        self.choose(if gains { SEVERAL } else { ONE });
    }

    fn choose(&self, choice: u8) {
        self.choice.store(choice, Ordering::Relaxed);
        if choice == ONE {
            *self.dataflow.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}
