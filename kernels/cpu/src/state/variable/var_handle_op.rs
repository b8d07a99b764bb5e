//! `VarHandleOp`: a handle to a resource variable.
//!
//! The variable comes into being with its first assignment. Nodes of one `container` and `shared_name` share a variable,
//! those with no name at all too; the name that stands for an anonymous variable gives a new variable at each run. The
//! attrs `dtype` and `shape` say what values to expect; an assignment of another dtype is an error, one of another shape is
//! not.

use oplink::prelude::*;
use oplink::{ResourceInfo, Variable};

use super::shapes;
use crate::state::named::{OwnHandle, Unnamed, info};

/// The name of variables that only their handle reaches.
const ANONYMOUS: &str = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";
/// The type in the names of resource variables.
const KIND: &str = "variable";

/// A handle to a variable.
#[op("VarHandleOp",
     output = "resource: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "debug_name: string = ''",
     attr = "dtype: type",
     attr = "shape: shape",
     attr = "allowed_devices: list(string) = []",
     stateful,
     shape = shapes::var_handle)]
pub struct VarHandleOp;

/// `VarHandleOp` with the node's handle.
#[derive(Debug, Default)]
pub struct VarHandleOpCpu(OwnHandle);

#[kernel(VarHandleOp, device = CPU, dtype = any)]
impl Kernel for VarHandleOpCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let tensor = if context.attr::<&str>("shared_name")? == ANONYMOUS {
            Tensor::scalar(ResourceHandle::new(named(context)?))
        } else {
            self.0.get(|| Ok(context.step()?.resources().handle(named(context)?)))?
        };
        context.set_output(0, tensor);
        Ok(())
    }
}

fn named(context: &KernelContext<'_>) -> Result<ResourceInfo> {
    let (dtype, shape): (DType, PartialShape) = (context.attr("dtype")?, context.attr("shape")?);
    let shared_name: &str = context.attr("shared_name")?;
    let info = info(context, KIND, Unnamed::NodeName)?;
    Ok(ResourceInfo { name: shared_name.to_owned(), dtypes_and_shapes: vec![(dtype, shape)], ..info })
}

/// The variable that the handle in input `index` refers to; where there is none, one without a value and of the dtype and
/// shape that the handle tells of, or else of `dtype`.
pub(super) fn variable_or_new(
    context: &KernelContext<'_>,
    index: usize,
    dtype: DType,
) -> Result<std::sync::Arc<Variable>> {
    let handle = context.handle(index)?;
    handle.get_or_create(|| {
        let told = handle.info().and_then(|info| info.dtypes_and_shapes.first());
        let shape = told.map_or(PartialShape::unknown(), |(_, shape)| shape.clone());
        Ok(Variable::new(dtype, shape))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::stepping::InStep;

    fn handle(step: &InStep, name: &str) -> Tensor {
        let attrs =
            [("dtype", DType::Float.into()), ("shape", PartialShape::scalar().into()), ("shared_name", name.into())];
        step.one("VarHandleOp", &attrs, vec![]).unwrap()
    }

    #[test]
    fn a_name_is_one_variable_for_all_steps_of_a_session() {
        let step = InStep::new(1);
        step.run("AssignVariableOp", &[], vec![handle(&step, "v"), Tensor::scalar(2f32)]).unwrap();
        let next = step.next();
        let read = |name| next.one("ReadVariableOp", &[("dtype", DType::Float.into())], vec![handle(&next, name)]);
        assert_eq!(read("v").unwrap().to_scalar::<f32>().unwrap(), 2.0);
        assert_eq!(read("w").unwrap_err().code(), Code::FailedPrecondition);
        let names: Vec<_> = step.step().resources().of_type::<Variable>().into_iter().map(|(key, _)| key.2).collect();
        assert_eq!(names, ["v"]);
    }

    #[test]
    fn anonymous_variables_are_different_ones() {
        let step = InStep::new(1);
        let made = || handle(&step, ANONYMOUS).to_scalar::<ResourceHandle>().unwrap();
        assert_ne!(made(), made());
        assert!(step.step().resources().resources().is_empty());
    }
}
