//! `InitializeTableFromTextFileV2` and `InitializeTableFromTextFile`: give a table with fixed entries those in a file,
//! one a line.
//!
//! The attrs `key_index` and `value_index` say what of a line to take: a column between `delimiter`s, from 0; -1 the
//! number of the line, an int64, to which `offset` is added; -2 the whole line, a string. Of a longer file the first
//! `vocab_size` lines count, where it is not -1. A file that is shorter, an empty one, and columns that are no numbers
//! are errors.

use super::shapes;
use oplink::prelude::*;

/// Gives a table the entries that the lines of a file tell.
#[op("InitializeTableFromTextFileV2",
     input = "table_handle: resource",
     input = "filename: string",
     attr = "key_index: int >= -2",
     attr = "value_index: int >= -2",
     attr = "vocab_size: int >= -1 = -1",
     attr = "delimiter: string = '\\t'",
     attr = "offset: int = 0",
     stateful,
     shape = shapes::initialize_from_file)]
pub struct InitializeTableFromTextFileV2;

/// Gives the table behind a reference the entries that the lines of a file tell.
#[op("InitializeTableFromTextFile",
     input = "table_handle: Ref(string)",
     input = "filename: string",
     attr = "key_index: int >= -2",
     attr = "value_index: int >= -2",
     attr = "vocab_size: int >= -1 = -1",
     attr = "delimiter: string = '\\t'",
     attr = "offset: int = 0",
     shape = shapes::initialize_reference_from_file)]
pub struct InitializeTableFromTextFile;
