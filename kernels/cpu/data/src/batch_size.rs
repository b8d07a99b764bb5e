//! The size of a dataset's batches, as the datasets that it is made of tell it.

use oplink::prelude::*;
use oplink_ops::data::ComputeBatchSize;

use crate::dataset::DatasetHandle;

/// Ops that make batches, without the number of their version.
const BATCHES: [&str; 4] =
    ["BatchDataset", "ExperimentalMapAndBatchDataset", "MapAndBatchDataset", "PaddedBatchDataset"];
/// Ops whose elements are those of several datasets.
const JOINED: [&str; 2] = ["ConcatenateDataset", "ZipDataset"];
/// Ops whose elements are elements of the first input.
const SAME_ELEMENTS: [&str; 15] = [
    "AssertCardinalityDataset",
    "AutoShardDataset",
    "CacheDataset",
    "ExperimentalAutoShardDataset",
    "FilterDataset",
    "ModelDataset",
    "OptionsDataset",
    "PrefetchDataset",
    "RepeatDataset",
    "RewriteDataset",
    "ShardDataset",
    "ShuffleAndRepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "TakeDataset",
];

/// The name of an op without the `V2` of a later version.
fn without_version(op: &str) -> &str {
    let name = op.trim_end_matches(|c: char| c.is_ascii_digit());
    name.strip_suffix('V').filter(|_| name.len() < op.len()).unwrap_or(op)
}

/// The size, where it is known.
fn batch_size(dataset: &DatasetHandle, env: Env<'_>) -> Option<usize> {
    env.poll();
    let (op, inputs) = (without_version(dataset.op()), dataset.dataset().inputs());
    if BATCHES.contains(&op) {
        return dataset.dataset().batch_size();
    }
    if JOINED.contains(&op) {
        let mut sizes = inputs.into_iter().map(|input| batch_size(input, env));
        let first = sizes.next()??;
        return sizes.all(|size| size == Some(first)).then_some(first);
    }
    if SAME_ELEMENTS.contains(&op) { batch_size(inputs.first()?, env) } else { None }
}

/// `ComputeBatchSize`.
#[kernel(ComputeBatchSize, device = CPU)]
pub fn compute_batch_size_cpu(input_dataset: &DatasetHandle, env: Env<'_>) -> i64 {
    batch_size(input_dataset, env).and_then(|size| i64::try_from(size).ok()).unwrap_or(-1)
}
