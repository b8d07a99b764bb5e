//! Rows of unlike lengths.

use oplink::prelude::*;

pub mod ragged_gather;
pub mod ragged_range;
pub mod ragged_tensor_to_sparse;
pub mod ragged_tensor_to_tensor;

pub use ragged_gather::*;
pub use ragged_range::*;
pub use ragged_tensor_to_sparse::*;
pub use ragged_tensor_to_tensor::*;

/// Row splits in their dtype.
fn splits_tensor(splits: Vec<i64>, dtype: DType) -> Result<Tensor> {
    if dtype != DType::Int32 {
        return Ok(splits.into());
    }
    let narrow = |&split: &i64| i32::try_from(split).map_err(|_| Error::invalid_argument("row splits exceed int32"));
    Ok(splits.iter().map(narrow).collect::<Result<Vec<_>>>()?.into())
}
