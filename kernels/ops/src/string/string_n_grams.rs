//! `StringNGrams`: runs of neighbouring strings, joined, within each row of a ragged matrix.
//!
//! `data_splits` says where rows start and end in the vector `data`: it starts with 0, does not decrease and ends with
//! the number of strings. For each of the attr `ngram_widths` in turn a row gives all runs of that many strings, joined
//! with `separator`. Rows count as if `pad_width` times `left_pad` stood before them and `right_pad` after them, but at
//! most, and for a negative `pad_width` exactly, one less than the width of a run. With `preserve_short_sequences` a
//! row that is not empty but gives no run gives one with all its strings and `pad_width` paddings on both sides. The
//! outputs are the runs and their row splits.

use oplink::prelude::*;

/// Joins runs of neighbouring strings.
#[op("StringNGrams",
     input = "data: string",
     input = "data_splits: Tsplits",
     output = "ngrams: string",
     output = "ngrams_splits: Tsplits",
     attr = "separator: string",
     attr = "ngram_widths: list(int) >= 0",
     attr = "left_pad: string",
     attr = "right_pad: string",
     attr = "pad_width: int",
     attr = "preserve_short_sequences: bool",
     attr = "Tsplits: {int32, int64} = DT_INT64",
     shape = shape_fns::string_n_grams)]
pub struct StringNGrams;
