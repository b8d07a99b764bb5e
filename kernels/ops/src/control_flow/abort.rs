//! `Abort`: an error on purpose.
//!
//! Where TensorFlow ends the process, this op fails its step: a graph never takes its host down.

use oplink::prelude::*;

/// Fails, unless `exit_without_error`.
#[op("Abort",
     attr = "error_msg: string = ''",
     attr = "exit_without_error: bool = false",
     shape = shape_fns::no_outputs)]
pub struct Abort;
