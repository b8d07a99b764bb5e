//! Where a SavedModel keeps the values of its variables.

use std::path::{Path, PathBuf};

use oplink_api::{TString, Tensor};

/// The prefix of the checkpoint in the folder of a SavedModel.
pub(crate) fn variables_prefix(dir: &Path) -> PathBuf {
    dir.join("variables").join("variables")
}

/// A path as graphs take it.
pub(crate) fn path_tensor(path: &Path) -> Tensor {
    Tensor::scalar(TString::new(path.as_os_str().as_encoded_bytes()))
}
