//! Aggregators of statistics, which keep none.

use oplink::prelude::*;
use oplink_ops::data::{ExperimentalStatsAggregatorHandle, StatsAggregatorHandle, StatsAggregatorHandleV2};

use crate::handles::handles;

const KIND: &str = "aggregator of statistics";

/// Stands for statistics.
#[derive(Debug)]
pub struct StatsAggregator;

impl Resource for StatsAggregator {
    fn type_name(&self) -> &'static str {
        KIND
    }
}

handles! {
    KIND, StatsAggregator;
    StatsAggregatorHandleCpu: StatsAggregatorHandle;
    StatsAggregatorHandleV2Cpu: StatsAggregatorHandleV2;
    ExperimentalStatsAggregatorHandleCpu: ExperimentalStatsAggregatorHandle;
}
