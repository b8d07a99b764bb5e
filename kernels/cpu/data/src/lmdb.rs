//! Entries of LMDB databases, which TensorFlow no longer reads.

use oplink::prelude::*;
use oplink_ops::data::{ExperimentalLMDBDataset, LMDBDataset};

fn removed() -> Error {
    Error::unimplemented(
        "LMDB support is removed, as in TensorFlow; write the entries to files of records, and read those",
    )
}

/// `LMDBDataset`.
#[kernel(LMDBDataset, device = CPU)]
pub fn lmdb_dataset_cpu() -> Result<Tensor> {
    Err(removed())
}

/// `ExperimentalLMDBDataset`.
#[kernel(ExperimentalLMDBDataset, device = CPU)]
pub fn experimental_lmdb_dataset_cpu() -> Result<Tensor> {
    Err(removed())
}
