//! `WriteFile`: a string as the whole contents of a file.
//!
//! `filename` and `contents` are scalars. The file's folders are made where they are missing; a file of this name is
//! replaced. It is an error when the file cannot be written.

use super::shapes;
use oplink::prelude::*;

/// Writes a file.
#[op("WriteFile", input = "filename: string", input = "contents: string", stateful, shape = shapes::scalars)]
pub struct WriteFile;
