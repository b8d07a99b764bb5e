//! `Variable` and `VariableV2`: references to variables of the session.
//!
//! Nodes of one `container` and `shared_name`, or else of one node name, share a variable. It has no value until the first
//! `Assign`; the attr `shape` is what that checks, an unknown one standing for a scalar. Nodes that share a variable have
//! one dtype. Every dtype.

use oplink::prelude::*;

use super::shapes;
use crate::state::named::{OwnHandle, Unnamed, output_resource};

/// The type in the names of reference variables, which resource variables of the same name do not share.
const KIND: &str = "reference variable";

/// A reference to a variable; a shape without extents stands for any.
#[op("Variable",
     output = "ref: Ref(dtype)",
     attr = "shape: shape",
     attr = "dtype: type",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::variable)]
pub struct Variable;

/// A reference to a variable.
#[op("VariableV2",
     output = "ref: Ref(dtype)",
     attr = "shape: shape",
     attr = "dtype: type",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::explicit)]
pub struct VariableV2;

/// `Variable` and `VariableV2` with the node's handle.
#[derive(Debug, Default)]
pub struct VariableCpu(OwnHandle);

#[kernel(Variable, device = CPU, dtype = any)]
#[kernel(VariableV2, device = CPU, dtype = any)]
impl Kernel for VariableCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        output_resource(context, &self.0, KIND, Unnamed::NodeName, |context, _| {
            Ok(oplink::Variable::new(context.attr("dtype")?, declared_shape(context)?))
        })?;
        Ok(())
    }
}

/// The attr `shape`.
pub(super) fn declared_shape(context: &KernelContext<'_>) -> Result<PartialShape> {
    let shape: &PartialShape = context.attr("shape")?;
    Ok(if shape.rank().is_some() { shape.clone() } else { PartialShape::scalar() })
}
