//! The op of the same file is misspelt.

use oplink::prelude::*;

/// Nothing.
#[op("Own", input = "x: T", output = "y: T", attr = "T: {float}", shape = shape_fns::unchanged)]
pub struct Own;

#[kernel(Onw, device = CPU, T = [f32])]
fn bad(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
