//! Thread pools of datasets, in whose place the threads of the session serve.

use std::sync::Arc;

use oplink::prelude::*;
use oplink_ops::data::{
    ExperimentalThreadPoolDataset, ExperimentalThreadPoolHandle, ThreadPoolDataset, ThreadPoolHandle,
};

use crate::dataset::DatasetHandle;
use crate::handles::handles;
use crate::pass_through::{Beside, passed};

/// Stands for threads.
#[derive(Debug)]
pub struct ThreadPool;

impl Resource for ThreadPool {
    fn type_name(&self) -> &'static str {
        KIND
    }
}

const KIND: &str = "thread pool";

/// # Errors
/// The number is not greater than 0.
fn positive(threads: i64) -> Result<()> {
    ensure!(threads > 0, "num_threads must be greater than 0, it is {threads}");
    Ok(())
}

handles! {
    KIND, ThreadPool, |attrs| positive(attrs.num_threads);
    ThreadPoolHandleCpu: ThreadPoolHandle;
    ExperimentalThreadPoolHandleCpu: ExperimentalThreadPoolHandle;
}

/// `ThreadPoolDataset`.
#[kernel(ThreadPoolDataset, device = CPU)]
#[kernel(ExperimentalThreadPoolDataset, device = CPU)]
pub fn thread_pool_dataset_cpu(
    input_dataset: &DatasetHandle,
    thread_pool: Arc<ThreadPool>,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let _ = thread_pool;
    passed(&env, input_dataset, Beside::Opaque, output_types, output_shapes)
}
