//! `OptionalNone`: an optional without a value.

use oplink::prelude::*;

use super::value::Optional;

/// An optional without a value.
#[op("OptionalNone", output = "optional: variant", shape = shape_fns::scalar)]
pub struct OptionalNone;

/// `OptionalNone`.
#[kernel(OptionalNone, device = CPU)]
pub fn optional_none_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.set_output(0, Optional::default().into_tensor());
    Ok(())
}
