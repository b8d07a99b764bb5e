//! A fact about paddings of an op that has no attrs for them.

use oplink::prelude::*;

#[op(
    "Window",
    input = "x: float",
    output = "y: float",
    attr = "padding: {'SAME', 'VALID'}",
    is(zero_pads(x))
)]
pub struct Window;

fn main() {}
