//! `StringSplit`, `StringSplitV2`: strings split into parts, as a sparse matrix with a row for each string.
//!
//! `input` is a vector, `sep` a scalar. Where `sep` is empty, runs of white space divide and those at the ends are
//! dropped; otherwise each occurrence divides. After `maxsplit` splits (without limit where negative) the rest of a
//! string is one part; 0 leaves strings whole. The outputs are the positions [parts, 2] of the parts, the parts, and
//! the dense shape: the number of strings and the largest number of parts.

use oplink::prelude::*;

/// Splits strings at each byte that `delimiter` has, or behind each byte where it is empty. Strings without bytes have
/// no parts; with `skip_empty`, parts without bytes are left out.
#[op("StringSplit",
     no_gradient,
     input = "input: string",
     input = "delimiter: string",
     output = "indices: int64",
     output = "values: string",
     output = "shape: int64",
     attr = "skip_empty: bool = true",
     shape = shape_fns::string_split_v2)]
pub struct StringSplit;

/// Splits strings into parts.
#[op("StringSplitV2",
     input = "input: string",
     input = "sep: string",
     output = "indices: int64",
     output = "values: string",
     output = "shape: int64",
     attr = "maxsplit: int = -1",
     shape = shape_fns::string_split_v2)]
pub struct StringSplitV2;
