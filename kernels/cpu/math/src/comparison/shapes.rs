//! The answer for shapes that do not broadcast.

use oplink::prelude::*;

/// Sets output 0 to the scalar `answer` and returns true where the shapes of the two inputs do not broadcast and the attr
/// `incompatible_shape_error` is false.
pub(super) fn answer_for_incompatible_shapes(context: &mut KernelContext<'_>, answer: bool) -> Result<bool> {
    let (x, y) = (context.input(0).shape(), context.input(1).shape());
    if x == y || oplink::broadcast_shapes(x, y).is_ok() || context.attr("incompatible_shape_error")? {
        return Ok(false);
    }
    context.set_scalar(0, answer);
    Ok(true)
}
