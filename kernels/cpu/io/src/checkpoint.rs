//! The inputs that ops on checkpoints share.

use std::path::PathBuf;

use oplink::prelude::*;

use super::paths::path;

/// A checkpoint's prefix, and for each tensor its name and which part of it is meant (empty for all).
pub(super) struct Tensors<'a> {
    pub(super) prefix: PathBuf,
    pub(super) names: &'a [TString],
    pub(super) specs: &'a [TString],
}

impl<'a> Tensors<'a> {
    /// From the inputs `prefix`, `tensor_names` and `shape_and_slices`, for so many tensors.
    pub(super) fn new(prefix: &Tensor, names: &'a Tensor, specs: &'a Tensor, tensors: usize) -> Result<Self> {
        ensure!(prefix.num_elements() == 1, "prefix must have one element, it has shape {}", prefix.shape());
        ensure!(
            names.rank() == 1 && specs.rank() == 1,
            "tensor_names and shape_and_slices must be vectors, they have shapes {} and {}",
            names.shape(),
            specs.shape()
        );
        let (prefix, [names, specs]) = (prefix.as_slice::<TString>()?, [names.as_slice()?, specs.as_slice()?]);
        ensure!(
            names.len() == tensors && specs.len() == tensors,
            "{tensors} tensors are given {} names and {} shapes and slices",
            names.len(),
            specs.len()
        );
        Ok(Self { prefix: path(prefix[0].as_bytes())?, names, specs })
    }
}
