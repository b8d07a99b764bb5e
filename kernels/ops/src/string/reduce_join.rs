//! `ReduceJoin`: strings joined along axes.
//!
//! `reduction_indices` lists the axes, negative ones counted from the end: a string of the output joins the strings
//! along them, the axis listed first varying fastest, with the attr `separator` between. Without axes strings stay as
//! they are; with `keep_dims` joined axes stay with extent 1. An axis outside of the rank or listed twice is an error.

use oplink::prelude::*;

/// Joins strings along axes.
#[op("ReduceJoin",
     input = "inputs: string",
     input = "reduction_indices: int32",
     output = "output: string",
     attr = "keep_dims: bool = false",
     attr = "separator: string = ''",
     shape = shape_fns::reduction)]
pub struct ReduceJoin;
