//! `TemporaryVariable` and `DestroyTemporaryVariable`: a variable that lives within a step.
//!
//! Each run makes a variable of its own, with a value of the attr `shape`, to be written before it is read. Destroying
//! it gives its last value; that the attr `var_name` is the same is checked. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// A reference to a new variable.
#[op("TemporaryVariable",
     output = "ref: Ref(dtype)",
     attr = "shape: shape",
     attr = "dtype: type",
     attr = "var_name: string = ''",
     stateful,
     shape = shapes::explicit)]
pub struct TemporaryVariable;

/// The last value of a temporary variable.
#[op("DestroyTemporaryVariable",
     input = "ref: Ref(T)",
     output = "value: T",
     attr = "T: type",
     attr = "var_name: string",
     shape = shape_fns::unchanged)]
pub struct DestroyTemporaryVariable;
