//! `OptionalFromValue`: an optional that holds tensors. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// An optional that holds `components`.
#[op("OptionalFromValue",
     input = "components: Toutput_types",
     output = "optional: variant",
     attr = "Toutput_types: list(type) >= 1",
     shape = shapes::from_value)]
pub struct OptionalFromValue;
