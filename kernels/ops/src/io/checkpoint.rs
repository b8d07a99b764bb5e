//! Texts that name a part of a tensor in a checkpoint.

use oplink::prelude::*;
use oplink_bundle::ShapeAndSlice;

/// A shape and slice; `None` where it is empty, which means the whole tensor.
pub fn part(spec: &TString) -> Result<Option<ShapeAndSlice>> {
    let Ok(text) = spec.to_str() else { bail!("the shape and slice {spec:?} is not text") };
    if text.is_empty() { Ok(None) } else { ShapeAndSlice::parse(text).map(Some) }
}
