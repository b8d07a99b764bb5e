//! `Case`: one of several functions of the same signature, chosen by number.
//!
//! A `branch_index` outside of the branches chooses the last one.

use super::shapes;
use oplink::prelude::*;

/// Calls one of several functions.
#[op("Case",
     input = "branch_index: int32",
     input = "input: Tin",
     output = "output: Tout",
     attr = "Tin: list(type) >= 0",
     attr = "Tout: list(type) >= 0",
     attr = "branches: list(func) >= 1",
     attr = "output_shapes: list(shape) = []",
     stateful,
     shape = shapes::from_attr)]
pub struct Case;
