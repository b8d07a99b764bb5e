//! `PrintV2`: writes a string.
//!
//! `input` is a scalar; it is written, and the attr `end` after it, to the attr `output_stream`: `stdout`, `stderr`,
//! one of `log(info)`, `log(warning)` and `log(error)` (standard error as well), or `file://` and a path, to whose end
//! it is appended. Where the process has listeners, they receive the text instead of all but files.

use oplink::prelude::*;

/// Writes a string.
#[op("PrintV2",
     input = "input: string",
     attr = "output_stream: string = 'stderr'",
     attr = "end: string = '\\n'",
     stateful,
     shape = shape_fns::print_v2)]
pub struct PrintV2;

/// Seconds since 1970.
#[op("Timestamp",
     output = "ts: double",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct Timestamp;
