//! Datasets that record statistics of another one's elements, or say which aggregator gets those of a pipeline.

use std::sync::Arc;
use std::time::Instant;

use oplink::prelude::*;
use oplink_ops::data::{BytesProducedStatsDataset, LatencyStatsDataset, SetStatsAggregatorDataset};
use oplink_ops::data::{
    ExperimentalBytesProducedStatsDataset, ExperimentalLatencyStatsDataset, ExperimentalSetStatsAggregatorDataset,
};

use super::aggregator::{Statistics, StatsAggregator};
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

/// Bytes of a variant in TensorFlow.
const VARIANT_BYTES: usize = 64;

/// What is done beside giving the elements.
#[derive(Clone)]
enum Part {
    /// The bytes of each element go into the histogram of a tag.
    Bytes(Arc<[u8]>),
    /// So do the microseconds that each takes.
    Latency(Arc<[u8]>),
    /// What the datasets before this one record goes there, without and with the steps of an iterator.
    Destination([Arc<Statistics>; 2]),
}

struct Recorded {
    input: DatasetHandle,
    part: Part,
}

struct RecordedIterator {
    elements: Elements,
    part: Part,
    given: u64,
}

impl Dataset for Recorded {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        self.input.cardinality()
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        Ok(Box::new(RecordedIterator { elements: self.input.iterate(run)?, part: self.part.clone(), given: 0 }))
    }
}

impl DatasetIterator for RecordedIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let begin = Instant::now();
        let next = match &self.part {
            Part::Destination(statistics) => {
                let statistics = Some(&statistics[usize::from(run.by_iterator)]);
                self.elements.next(&Run { statistics, ..*run })
            }
            _ => self.elements.next(run),
        };
        if let Some(statistics) = run.statistics {
            match (&self.part, &next) {
                (_, Ok(None)) | (Part::Bytes(_), Err(_)) | (Part::Destination(_), _) => {}
                (Part::Bytes(tag), Ok(Some(element))) => statistics.add(tag, bytes(element)? as f64, self.given)?,
                (Part::Latency(tag), _) => statistics.add(tag, begin.elapsed().as_micros() as f64, self.given)?,
            }
        }
        self.given += u64::from(matches!(next, Ok(Some(_))));
        next
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.given as i64);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.given = from.count()?;
        self.elements.restore(run, from)
    }
}

/// The bytes of an element as TensorFlow counts them: a string has those of its layout and those of its text.
fn bytes(element: &Element) -> Result<usize> {
    let of = |tensor: &Tensor| match tensor.dtype() {
        DType::String => {
            let texts = tensor.as_slice::<TString>()?.iter().map(|text| text.as_bytes().len()).sum::<usize>();
            Ok(tensor.num_bytes() + texts)
        }
        DType::Variant => Ok(tensor.num_elements() * VARIANT_BYTES),
        _ => Ok(tensor.num_bytes()),
    };
    element.iter().map(of).sum()
}

fn recorded(
    env: &Env<'_>,
    input: &DatasetHandle,
    part: Part,
    output_types: &[DType],
    output_shapes: &[PartialShape],
) -> Result<DatasetHandle> {
    let dataset = Recorded { input: input.clone(), part };
    DatasetHandle::new(env, output_types, output_shapes, dataset)
}

/// `BytesProducedStatsDataset`.
#[kernel(BytesProducedStatsDataset, device = CPU)]
#[kernel(ExperimentalBytesProducedStatsDataset, device = CPU)]
pub fn bytes_produced_stats_dataset_cpu(
    input_dataset: &DatasetHandle,
    tag: TString,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    recorded(&env, input_dataset, Part::Bytes(tag.as_bytes().into()), output_types, output_shapes)
}

/// `LatencyStatsDataset`.
#[kernel(LatencyStatsDataset, device = CPU)]
#[kernel(ExperimentalLatencyStatsDataset, device = CPU)]
pub fn latency_stats_dataset_cpu(
    input_dataset: &DatasetHandle,
    tag: TString,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    recorded(&env, input_dataset, Part::Latency(tag.as_bytes().into()), output_types, output_shapes)
}

/// `SetStatsAggregatorDataset`.
#[kernel(SetStatsAggregatorDataset, device = CPU)]
#[kernel(ExperimentalSetStatsAggregatorDataset, device = CPU)]
pub fn set_stats_aggregator_dataset_cpu(
    input_dataset: &DatasetHandle,
    stats_aggregator: Arc<StatsAggregator>,
    tag: TString,
    counter_prefix: TString,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    // Counters are for what watches a process from outside; there is nothing of that kind here.
    let _ = counter_prefix;
    let to = |counts| Arc::new(Statistics::new(stats_aggregator.clone(), tag.as_bytes(), counts));
    recorded(&env, input_dataset, Part::Destination([false, true].map(to)), output_types, output_shapes)
}
