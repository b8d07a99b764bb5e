//! The part of a dataset that one of several workers reads.

use oplink::prelude::*;
use oplink_ops::data::{AutoShardDataset, ExperimentalAutoShardDataset};

use crate::dataset::DatasetHandle;
use crate::pass_through::{Beside, passed};
use crate::shard::Shard;

/// What is divided among workers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Policy {
    /// Nothing. Hints stand for numbers of shards, of which no dataset here has one.
    OffOrHint,
    /// Files where there are some, elements otherwise.
    Auto,
    Files,
    Elements,
}

impl Policy {
    fn new(number: i64) -> Result<Self> {
        match number {
            -1 | 3 => Ok(Self::OffOrHint),
            0 => Ok(Self::Auto),
            1 => Ok(Self::Files),
            2 => Ok(Self::Elements),
            other => bail!("auto_shard_policy must be -1, 0, 1, 2 or 3, it is {other}"),
        }
    }
}

/// The first dataset of a pipeline that reads files, or may do so.
fn reader<'a>(dataset: &'a DatasetHandle, env: Env<'_>) -> Option<&'a DatasetHandle> {
    env.poll();
    if dataset.dataset().may_read_files() {
        return Some(dataset);
    }
    dataset.dataset().inputs().into_iter().find_map(|input| reader(input, env))
}

/// `AutoShardDataset`.
#[kernel(AutoShardDataset, device = CPU)]
#[kernel(ExperimentalAutoShardDataset, device = CPU)]
pub fn auto_shard_dataset_cpu(
    input_dataset: &DatasetHandle,
    num_workers: i64,
    index: i64,
    auto_shard_policy: i64,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let policy = Policy::new(auto_shard_policy)?;
    let shard = Shard::new(input_dataset, ("num_workers", num_workers), index, true)?;
    if num_workers == 1 || policy == Policy::OffOrHint {
        return passed(&env, input_dataset, Beside::Nothing, output_types, output_shapes);
    }
    match (policy, reader(input_dataset, env)) {
        (Policy::Files | Policy::Auto, Some(reader)) => {
            return Err(Error::unimplemented(format!(
                "the files of {reader} are not divided among workers: set auto_shard_policy to 2, or use ShardDataset \
                 on the names of the files"
            )));
        }
        (Policy::Files, None) => {
            return Err(Error::not_found(format!(
                "{input_dataset} reads no files that could be divided among workers"
            )));
        }
        _ => {}
    }
    DatasetHandle::new(&env, output_types, output_shapes, shard)
}
