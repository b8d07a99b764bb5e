//! `ShardedFilename`: the name of one of several files, `<basename>-SSSSS-of-NNNNN`.
//!
//! All three inputs are scalars. Numbers have five digits at least.

use super::shapes;
use oplink::prelude::*;

/// Makes the name of one of several files.
#[op("ShardedFilename",
     input = "basename: string",
     input = "shard: int32",
     input = "num_shards: int32",
     output = "filename: string",
     shape = shapes::scalars)]
pub struct ShardedFilename;
