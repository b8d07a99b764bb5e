//! `ReadFile`: the whole contents of a file, as one string.
//!
//! `filename` is a scalar. It is an error when the file cannot be read.

use super::shapes;
use oplink::prelude::*;

/// Reads a file.
#[op("ReadFile", input = "filename: string", output = "contents: string", shape = shapes::scalars)]
pub struct ReadFile;
