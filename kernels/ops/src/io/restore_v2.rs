//! `RestoreV2`: tensors from a checkpoint in the tensor-bundle format.
//!
//! `prefix` is one string, `tensor_names` and `shape_and_slices` are vectors with an element an output. An empty shape
//! and slice reads the whole tensor; `4 3 0,2:-` reads rows 0 and 1 of a tensor of the shape [4, 3], whether it was
//! saved whole or in slices. Tensors are read in parallel, straight into the outputs' memory, and their checksums are
//! verified. It is an error when a name is not in the checkpoint, when a tensor's dtype is not its output's, when the
//! shape is not the saved one, when the saved slices leave gaps, and when a file is missing, incomplete or damaged.
//!
//! Where the checkpoint has no index, `prefix` is a pattern for the files of a checkpoint in the format before bundles.

use super::checkpoint::part;
use super::shapes;
use oplink::prelude::*;

/// Restores tensors from a checkpoint.
#[op("RestoreV2",
     input = "prefix: string",
     input = "tensor_names: string",
     input = "shape_and_slices: string",
     output = "tensors: dtypes",
     attr = "dtypes: list(type) >= 1",
     stateful,
     shape = restore_shape)]
pub struct RestoreV2;

fn restore_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shapes::checkpoint(c, 2, c.num_outputs())?;
    let Some(specs) = c.input_tensor(2).cloned() else { return Ok(()) };
    for (index, spec) in specs.as_slice::<TString>()?.iter().enumerate() {
        if let Some(part) = part(spec)? {
            c.set_output(index, part.slice_shape);
        }
    }
    Ok(())
}
