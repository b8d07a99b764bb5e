//! `OptionalGetValue`: the tensors that an optional holds.
//!
//! An optional without a value is an error, and so are tensors of other dtypes than the attr `output_types` or of shapes that
//! do not fit the attr `output_shapes`. Every dtype.

use oplink::prelude::*;

use super::shapes;
use super::value::Optional;

/// The tensors in an optional.
#[op("OptionalGetValue",
     input = "optional: variant",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     shape = shapes::get_value)]
pub struct OptionalGetValue;

/// `OptionalGetValue` of every dtype.
#[kernel(OptionalGetValue, device = CPU)]
pub fn optional_get_value_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let Some(values) = &Optional::of(context, 0)?.0 else { bail!("the optional has no value") };
    let shapes: &[PartialShape] = context.attr("output_shapes")?;
    let (dtypes, count) = (&context.node().output_dtypes, values.len());
    let wanted = dtypes.len();
    ensure!(
        count == wanted && shapes.len() == wanted,
        "the optional holds {count} tensors, the op has {wanted} outputs"
    );
    for (at, ((value, dtype), shape)) in values.iter().zip(dtypes).zip(shapes).enumerate() {
        let fits = value.dtype() == *dtype && shape.accepts(value.shape());
        ensure!(fits, "tensor {at} is {} {}, the op expects {dtype} {shape}", value.dtype(), value.shape());
    }
    let values = values.clone();
    values.into_iter().enumerate().for_each(|(index, value)| context.set_output(index, value));
    Ok(())
}
