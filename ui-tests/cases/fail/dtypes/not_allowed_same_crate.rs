//! A type that the op of the same crate does not allow.

use oplink::prelude::*;

#[op("Local", input = "x: T", output = "y: T", attr = "T: {float}", shape = shape_fns::unchanged)]
pub struct Local;

#[kernel(Local, device = CPU, T = [f64])]
fn bad(c: &mut KernelContext) -> Result<()> {
    let _ = c;
    Ok(())
}

fn main() {}
