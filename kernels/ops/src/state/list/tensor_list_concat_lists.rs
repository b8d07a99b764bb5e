//! `TensorListConcatLists`: lists with the elements of other lists at their ends.
//!
//! Both inputs have one shape, scalars or more; lists at one position have one dtype and one element shape. Every
//! dtype.

use super::shapes;
use oplink::prelude::*;

/// The lists of `input_a`, each with the elements of the list of `input_b` after its own.
#[op("TensorListConcatLists",
     input = "input_a: variant",
     input = "input_b: variant",
     output = "output: variant",
     attr = "element_dtype: type",
     shape = shapes::concat_lists)]
pub struct TensorListConcatLists;
