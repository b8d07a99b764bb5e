//! `OptionalGetValue`: the tensors that an optional holds.
//!
//! An optional without a value is an error, and so are tensors of other dtypes than the attr `output_types` or of
//! shapes that do not fit the attr `output_shapes`. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The tensors in an optional.
#[op("OptionalGetValue",
     input = "optional: variant",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     shape = shapes::get_value)]
pub struct OptionalGetValue;
