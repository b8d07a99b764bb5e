//! `CountUpTo` and `ResourceCountUpTo`: count a variable up by one, to a limit.
//!
//! The output is the value before. A value that is `limit` already, or more, is `OutOfRange`, and stays. The variable
//! is a scalar of int32 or int64.

use super::shapes;
use oplink::prelude::*;

/// Counts the variable behind a reference up.
#[op("CountUpTo",
     input = "ref: Ref(T)",
     output = "output: T",
     attr = "limit: int",
     attr = "T: {int32, int64}",
     shape = shape_fns::unchanged_with_rank::<0>)]
pub struct CountUpTo;

/// Counts a resource variable up.
#[op("ResourceCountUpTo",
     input = "resource: resource",
     output = "output: T",
     attr = "limit: int",
     attr = "T: {int32, int64}",
     stateful,
     shape = shapes::count_up_to)]
pub struct ResourceCountUpTo;
