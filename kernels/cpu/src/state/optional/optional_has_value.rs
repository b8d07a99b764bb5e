//! `OptionalHasValue`: whether an optional has a value, a scalar of bool.

use oplink::prelude::*;

use super::value::Optional;

/// Whether an optional has a value.
#[op("OptionalHasValue", input = "optional: variant", output = "has_value: bool", shape = shape_fns::scalar)]
pub struct OptionalHasValue;

/// `OptionalHasValue`.
#[kernel(OptionalHasValue, device = CPU)]
pub fn optional_has_value_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let has_value = Optional::of(context, 0)?.0.is_some();
    context.set_scalar(0, has_value);
    Ok(())
}
