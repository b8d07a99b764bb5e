//! Aggregators of statistics: histograms and numbers by their tags.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink::prelude::*;
use oplink_cpu_support::summary::{Histogram, SUMMARY, SummaryWriter, add_value, histogram_value, scalar_value};
use oplink_cpu_support::wire::Message;
use oplink_ops::data::{ExperimentalStatsAggregatorHandle, StatsAggregatorHandle, StatsAggregatorHandleV2};
use oplink_ops::data::{ExperimentalStatsAggregatorSummary, StatsAggregatorSetSummaryWriter, StatsAggregatorSummary};

use crate::handles::handles;

const KIND: &str = "aggregator of statistics";

/// Gathers statistics: for a summary that is asked for, or for the summary writer that it has.
pub struct StatsAggregator {
    /// Whether each value is written as an event, where there is a writer.
    writes: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    histograms: BTreeMap<Vec<u8>, Histogram>,
    scalars: BTreeMap<Vec<u8>, f32>,
    writer: Option<Arc<SummaryWriter>>,
}

impl Resource for StatsAggregator {
    fn type_name(&self) -> &'static str {
        KIND
    }
}

impl State {
    fn write(&self, step: i64, value: impl FnOnce() -> Message) -> Result<()> {
        let Some(writer) = &self.writer else { return Ok(()) };
        writer.add_now(step, SUMMARY, add_value(Message::default(), value()))
    }
}

impl StatsAggregator {
    /// One of which summaries are asked for.
    fn kept() -> Self {
        Self { writes: false, state: Mutex::default() }
    }

    /// One that writes events.
    fn written() -> Self {
        Self { writes: true, state: Mutex::default() }
    }

    /// Adds a number to a histogram.
    fn add(&self, tag: Vec<u8>, number: f64, step: i64) -> Result<()> {
        let mut state = self.state();
        state.histograms.entry(tag.clone()).or_default().add(number);
        match self.writes {
            true => state.write(step, || histogram_value(&tag, &state.histograms[&tag])),
            false => Ok(()),
        }
    }

    /// Sets a number.
    fn set(&self, tag: Vec<u8>, number: f32, step: i64) -> Result<()> {
        let mut state = self.state();
        if self.writes {
            return state.write(step, || scalar_value(&tag, number));
        }
        state.scalars.insert(tag, number);
        Ok(())
    }

    /// The summary: histograms, then numbers, each in the order of their tags; of an aggregator that writes events an
    /// empty one.
    fn summary(&self) -> Message {
        let state = self.state();
        let histograms = state.histograms.iter().filter(|_| !self.writes);
        let histograms = histograms.map(|(tag, histogram)| histogram_value(tag, histogram));
        let scalars = state.scalars.iter().map(|(tag, &number)| scalar_value(tag, number));
        histograms.chain(scalars).fold(Message::default(), add_value)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the datasets of a pipeline tell their statistics to.
pub struct Statistics {
    aggregator: Arc<StatsAggregator>,
    /// What stands before each tag.
    prefix: Vec<u8>,
    /// Whether events have the steps that are given; otherwise they have step 0.
    counts: bool,
}

impl Statistics {
    /// An aggregator, in which tags stand after another tag; `counts` tells whether events have the steps that are
    /// given, otherwise they have step 0.
    pub fn new(aggregator: Arc<StatsAggregator>, tag: &[u8], counts: bool) -> Self {
        let prefix = if tag.is_empty() { Vec::new() } else { [tag, b"::"].concat() };
        Self { aggregator, prefix, counts }
    }

    fn step(&self, step: u64) -> i64 {
        if self.counts { step as i64 } else { 0 }
    }

    /// Adds a number to a histogram; `step` is that of the event, where events are written.
    ///
    /// # Errors
    /// The event cannot be written.
    pub fn add(&self, tag: &[u8], number: f64, step: u64) -> Result<()> {
        self.aggregator.add([&self.prefix, tag].concat(), number, self.step(step))
    }

    /// Sets a number, as [`add`](Self::add) adds one.
    ///
    /// # Errors
    /// The event cannot be written.
    pub fn set(&self, tag: &[u8], number: f32, step: u64) -> Result<()> {
        self.aggregator.set([&self.prefix, tag].concat(), number, self.step(step))
    }
}

handles! {
    KIND, StatsAggregator::kept();
    StatsAggregatorHandleCpu: StatsAggregatorHandle;
    ExperimentalStatsAggregatorHandleCpu: ExperimentalStatsAggregatorHandle;
}

handles! {
    KIND, StatsAggregator::written();
    StatsAggregatorHandleV2Cpu: StatsAggregatorHandleV2;
}

/// `StatsAggregatorSummary`.
#[kernel(StatsAggregatorSummary, device = CPU)]
#[kernel(ExperimentalStatsAggregatorSummary, device = CPU)]
pub fn stats_aggregator_summary_cpu(iterator: Arc<StatsAggregator>) -> Result<TString> {
    Ok(TString::new(iterator.summary().into_bytes()))
}

/// `StatsAggregatorSetSummaryWriter`: the writer takes the place of one that was set before.
#[kernel(StatsAggregatorSetSummaryWriter, device = CPU)]
pub fn stats_aggregator_set_summary_writer_cpu(
    stats_aggregator: Arc<StatsAggregator>,
    summary: Arc<SummaryWriter>,
) -> Result<()> {
    let before = stats_aggregator.state().writer.replace(summary);
    drop(before);
    Ok(())
}
