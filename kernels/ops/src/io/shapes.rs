//! Shape functions of the file ops.

use oplink::prelude::*;

/// Every input is a scalar, and every output.
pub(super) fn scalars(c: &mut ShapeContext<'_>) -> Result<()> {
    for index in 0..c.num_inputs() {
        c.with_rank(index, 0)?;
    }
    shape_fns::scalar(c)
}

/// A scalar prefix, then `count` vectors with an element for each of `tensors`.
pub(super) fn checkpoint(c: &ShapeContext<'_>, count: usize, tensors: usize) -> Result<()> {
    c.with_rank(0, 0)?;
    for index in 1..=count {
        let length = c.with_rank(index, 1)?.dim(0);
        ensure!(
            length.is_none_or(|length| length == tensors),
            "input {} has {} elements for {tensors} tensors",
            c.input_name(index),
            length.unwrap_or(0)
        );
    }
    Ok(())
}
