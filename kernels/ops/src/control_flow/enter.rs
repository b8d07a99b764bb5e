//! `Enter`: hands its input on into a loop.
//!
//! The dataflow executor runs it; there is no kernel.
//! A constant is there in every iteration, any other value in the first.

use super::shapes::pass_handles;
use oplink::prelude::*;

/// Hands its input on into a loop.
#[op("Enter",
     input = "data: T",
     output = "output: T",
     attr = "T: type",
     attr = "frame_name: string",
     attr = "is_constant: bool = false",
     attr = "parallel_iterations: int = 10",
     shape = entered)]
pub struct Enter;

/// A constant keeps its shape; that of any other value may change from one iteration to the next.
fn entered(context: &mut ShapeContext<'_>) -> Result<()> {
    let has_handle = !context.input_handle_shapes(0).is_empty();
    pass_handles(context, 0, 0);
    if !has_handle && context.attr::<bool>("is_constant")? {
        context.set_output(0, context.input(0).clone());
    }
    Ok(())
}
