//! `Print`: passes a tensor on and writes others to standard error.
//!
//! A run writes the attr `message` and, in brackets, the first `summarize` elements of each tensor in `data`; the first
//! `first_n` runs of a node do, or all where it is negative.

use oplink::prelude::*;

/// Passes a tensor on and prints others.
#[op("Print",
     input = "input: T",
     input = "data: U",
     output = "output: T",
     attr = "T: type",
     attr = "U: list(type) >= 0",
     attr = "message: string = ''",
     attr = "first_n: int = -1",
     attr = "summarize: int = 3",
     bytes(message),
     stateful,
     shape = shape_fns::unchanged)]
pub struct Print;
