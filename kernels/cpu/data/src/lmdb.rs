//! Entries of LMDB databases, which TensorFlow no longer reads.

use oplink::prelude::*;
use oplink_cpu_state::reader::source::lmdb_is_removed;
use oplink_ops::data::{ExperimentalLMDBDataset, LMDBDataset};

/// `LMDBDataset`.
#[kernel(LMDBDataset, device = CPU)]
pub fn lmdb_dataset_cpu() -> Result<Tensor> {
    Err(lmdb_is_removed())
}

/// `ExperimentalLMDBDataset`.
#[kernel(ExperimentalLMDBDataset, device = CPU)]
pub fn experimental_lmdb_dataset_cpu() -> Result<Tensor> {
    Err(lmdb_is_removed())
}
