//! `SaveV2`: tensors into a checkpoint in the tensor-bundle format.
//!
//! `prefix` is one string, `tensor_names` and `shape_and_slices` are vectors with an element a tensor. An empty shape
//! and slice saves the tensor whole; `4 3 0,2:-` saves it as rows 0 and 1 of a tensor of the shape [4, 3]. Every dtype
//! but resource and variant. The files `<prefix>.index` and `<prefix>.data-00000-of-00001` appear, or replace older
//! ones, when both are complete; an error leaves older ones as they were. It is an error when a name is empty or given
//! twice, when a slice does not have its tensor's shape, and when the files cannot be written.

use super::shapes;
use oplink::prelude::*;

/// Inputs before the tensors.
const FIXED: usize = 3;

/// Saves tensors in a checkpoint.
#[op("SaveV2",
     input = "prefix: string",
     input = "tensor_names: string",
     input = "shape_and_slices: string",
     input = "tensors: dtypes",
     attr = "dtypes: list(type) >= 1",
     stateful,
     shape = save_shape)]
pub struct SaveV2;

fn save_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shapes::checkpoint(c, 2, c.num_inputs() - FIXED)
}
