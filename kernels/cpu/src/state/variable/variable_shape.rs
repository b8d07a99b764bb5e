//! `VariableShape`: the extents of a resource variable's value.
//!
//! A vector of int32 or int64. A variable without a value has a shape without extents; one that does not exist is
//! `NotFound`.

use oplink::Variable;
use oplink::prelude::*;

use super::shapes;

/// The shape of a variable.
#[op("VariableShape",
     no_gradient,
     input = "input: resource",
     output = "output: out_type",
     attr = "out_type: {int32, int64} = DT_INT32",
     stateful,
     shape = shapes::variable_shape)]
pub struct VariableShape;

/// `VariableShape` of every dtype.
#[kernel(VariableShape, device = CPU, out_type = any)]
pub fn variable_shape_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let variable = context.resource::<Variable>(0)?;
    let shape = variable.lock().get().map_or_else(Shape::scalar, |value| value.shape().clone());
    let output = if context.node().output_dtypes[0] == DType::Int64 {
        shape.iter().map(|&extent| extent as i64).collect::<Vec<_>>().into()
    } else {
        let narrow = |&extent: &usize| i32::try_from(extent);
        let extents = shape.iter().map(narrow).collect::<Result<Vec<_>, _>>();
        extents.map_err(|_| Error::invalid_argument(format!("an extent of {shape} is too large for int32")))?.into()
    };
    context.set_output(0, output);
    Ok(())
}
