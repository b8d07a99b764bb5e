//! `SaveV2`: tensors into a checkpoint in the tensor-bundle format.
//!
//! `prefix` is one string, `tensor_names` and `shape_and_slices` are vectors with an element a tensor. An empty shape
//! and slice saves the tensor whole; `4 3 0,2:-` saves it as rows 0 and 1 of a tensor of the shape [4, 3]. Every dtype
//! but resource and variant. The files `<prefix>.index` and `<prefix>.data-00000-of-00001` appear, or replace older
//! ones, when both are complete; an error leaves older ones as they were. It is an error when a name is empty or given
//! twice, when a slice does not have its tensor's shape, and when the files cannot be written.

use oplink::prelude::*;
use oplink_bundle::BundleWriter;
use oplink_ops::io::part;

use super::checkpoint::Tensors;
use oplink_ops::io::SaveV2;

/// `SaveV2` of every dtype.
#[kernel(SaveV2, device = CPU)]
pub fn save_v2_cpu(
    prefix: &Tensor,
    tensor_names: &Tensor,
    shape_and_slices: &Tensor,
    tensors: &[Tensor],
) -> Result<()> {
    let saved = Tensors::new(prefix, tensor_names, shape_and_slices, tensors.len())?;
    let mut writer = BundleWriter::new(&saved.prefix)?;
    for ((name, spec), value) in saved.names.iter().zip(saved.specs).zip(tensors) {
        match part(spec)? {
            None => writer.add(name, value)?,
            Some(part) => writer.add_slice(name, &part.shape, &part.slice, value)?,
        }
    }
    writer.finish()
}
