//! `ShardedFilespec`: a pattern that matches the names of several files, `<basename>-?????-of-NNNNN`.
//!
//! Both inputs are scalars.

use super::shapes;
use oplink::prelude::*;

/// Makes a pattern for the names of several files.
#[op("ShardedFilespec",
     input = "basename: string",
     input = "num_shards: int32",
     output = "filename: string",
     shape = shapes::scalars)]
pub struct ShardedFilespec;
