//! `OptionalHasValue`: whether an optional has a value, a scalar of bool.

use oplink::prelude::*;

/// Whether an optional has a value.
#[op("OptionalHasValue", input = "optional: variant", output = "has_value: bool", shape = shape_fns::scalar)]
pub struct OptionalHasValue;
