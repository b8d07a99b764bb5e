//! `StringFormat`: tensors as text in a template.
//!
//! Each `placeholder` in `template` stands for an input in turn: its elements in brackets, of each axis the first and
//! the last `summarize` ones, all where it is negative. There must be as many placeholders as inputs.

use oplink::prelude::*;

/// Fills tensors into a template.
#[op("StringFormat",
     input = "inputs: T",
     output = "output: string",
     attr = "T: list(type) >= 0",
     attr = "template: string = '%s'",
     attr = "placeholder: string = '%s'",
     attr = "summarize: int = 3",
     shape = shape_fns::scalar)]
pub struct StringFormat;
