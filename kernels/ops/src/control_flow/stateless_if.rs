//! `StatelessIf`: one of two functions of the same signature, chosen by a value.
//!
//! `cond` chooses `then_branch` where it is true: a scalar other than zero or the empty string, or any other tensor
//! with elements. Only the chosen function runs. Neither has effects.

use super::shapes;
use oplink::prelude::*;

/// Calls one of two functions.
#[op("StatelessIf",
     input = "cond: Tcond",
     input = "input: Tin",
     output = "output: Tout",
     attr = "Tcond: type",
     attr = "Tin: list(type) >= 0",
     attr = "Tout: list(type) >= 0",
     attr = "then_branch: func",
     attr = "else_branch: func",
     attr = "output_shapes: list(shape) = []",
     shape = shapes::from_attr)]
pub struct StatelessIf;
