//! `FileSystemSetConfiguration`: options of a file system.

use oplink::prelude::*;

/// Sets the option `key` of the file system of a `scheme` to `value`; all are scalars.
///
/// No file system has options, as none of TensorFlow's own: this always fails with the code `Unimplemented`.
#[op("FileSystemSetConfiguration",
     no_gradient,
     input = "scheme: string",
     input = "key: string",
     input = "value: string",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct FileSystemSetConfiguration;
