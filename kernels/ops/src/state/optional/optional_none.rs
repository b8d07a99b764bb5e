//! `OptionalNone`: an optional without a value.

use oplink::prelude::*;

/// An optional without a value.
#[op("OptionalNone", output = "optional: variant", shape = shape_fns::scalar)]
pub struct OptionalNone;
