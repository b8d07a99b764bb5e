//! `OptionalFromValue`: an optional that holds tensors. Every dtype.

use oplink::prelude::*;

use super::shapes;
use super::value::Optional;

/// An optional that holds `components`.
#[op("OptionalFromValue",
     input = "components: Toutput_types",
     output = "optional: variant",
     attr = "Toutput_types: list(type) >= 1",
     shape = shapes::from_value)]
pub struct OptionalFromValue;

/// `OptionalFromValue` of every dtype.
#[kernel(OptionalFromValue, device = CPU)]
pub fn optional_from_value_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let values = (0..context.num_inputs()).map(|index| context.take_input(index)).collect();
    context.set_output(0, Optional(Some(values)).into_tensor());
    Ok(())
}
