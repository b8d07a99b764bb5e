//! The size of a dataset's batches, as the datasets that it is made of tell it.

use oplink::prelude::*;
use oplink_ops::data::ComputeBatchSize;

use crate::dataset::DatasetHandle;

/// `ComputeBatchSize`.
#[kernel(ComputeBatchSize, device = CPU)]
pub fn compute_batch_size_cpu(input_dataset: &DatasetHandle, env: Env<'_>) -> i64 {
    input_dataset.batch_size(env).and_then(|size| i64::try_from(size).ok()).unwrap_or(-1)
}
