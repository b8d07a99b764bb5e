//! `Merge`: forwards whichever of its inputs there is.
//!
//! The dataflow executor runs it; there is no kernel.
//! It runs as soon as one input is there; where all are dead, so are its outputs.

use super::shapes;
use oplink::prelude::*;

/// Hands on whichever of its inputs there is, and which one that was.
#[op("Merge",
     input = "inputs: N * T",
     output = "output: T",
     output = "value_index: int32",
     attr = "T: type",
     attr = "N: int >= 1",
     shape = merged)]
pub struct Merge;

/// The shape that all inputs have, as far as they agree.
pub fn merged(context: &mut ShapeContext<'_>) -> Result<()> {
    let mut shape = context.input(0).clone();
    for index in 1..context.num_inputs() {
        let other = context.input(index);
        shape = match (shape.dims(), other.dims()) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                a.iter().zip(b).map(|(a, b)| if a == b { *a } else { None }).collect()
            }
            _ => PartialShape::unknown(),
        };
    }
    context.set_output(0, shape);
    context.set_output(1, Shape::scalar());
    if context.num_inputs() > 0 {
        shapes::pass_handles(context, 0, 0);
    }
    Ok(())
}
