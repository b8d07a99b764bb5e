//! `N *` with an attr that is not declared.

use oplink::prelude::*;

#[op(
    "Bad",
    input = "x: N * float",
    output = "y: float",
    shape = shape_fns::unknown
)]
pub struct Bad;

fn main() {}
