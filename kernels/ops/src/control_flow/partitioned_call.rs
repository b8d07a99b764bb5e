//! `PartitionedCall`: a call of a function without effects.
//!
//! The function takes the inputs and gives the outputs, of any dtypes. Its errors are the node's, with the function's
//! name and that of the node inside it.

use oplink::prelude::*;

/// Calls a function.
#[op("PartitionedCall",
     input = "args: Tin",
     output = "output: Tout",
     attr = "Tin: list(type) >= 0",
     attr = "Tout: list(type) >= 0",
     attr = "f: func",
     attr = "config: string = ''",
     attr = "config_proto: string = ''",
     attr = "executor_type: string = ''",
     bytes(config, config_proto),
     unused_attr = "config",
     unused_attr = "config_proto",
     unused_attr = "executor_type",
     shape = shape_fns::unknown)]
pub struct PartitionedCall;
