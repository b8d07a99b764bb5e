//! Elements chosen by truth values.

use oplink::prelude::*;

/// Chooses from `t` where `condition` is true and from `e` where it is false.
///
/// `t` and `e` have one shape. `condition` has the same shape, or is a scalar that chooses a whole tensor, or a vector
/// that chooses rows along the first dimension.
#[op(
    "Select",
    input = "condition: bool",
    input = "t: T",
    input = "e: T",
    output = "output: T",
    attr = "T: type",
    shape = shape_fns::select,
)]
pub struct Select;

/// Chooses from `t` where `condition` is true and from `e` where it is false.
///
/// The three shapes broadcast against each other.
#[op(
    "SelectV2",
    is(elementwise),
    input = "condition: bool",
    input = "t: T",
    input = "e: T",
    output = "output: T",
    attr = "T: type",
    shape = shape_fns::select_v2,
)]
pub struct SelectV2;
