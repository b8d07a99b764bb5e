//! `N *` with an attr that is no int.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: N * float",
    output = "y: float",
    attr = "N: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
