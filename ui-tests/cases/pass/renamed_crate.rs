//! The key `crate` names the path under which the crate is known.
#![allow(unreachable_pub, reason = "the code of users, as they write it")]

mod vendored {
    pub use oplink as ml;
}

use vendored::ml::prelude::*;

#[op("Renamed", input = "x: float", output = "y: float", shape = shape_fns::unchanged, crate = crate::vendored::ml)]
pub struct Renamed;

#[kernel(Renamed, device = CPU, crate = crate::vendored::ml)]
fn renamed(x: ArrayViewD<'_, f32>) -> ArrayD<f32> {
    x.to_owned()
}

fn main() {}
