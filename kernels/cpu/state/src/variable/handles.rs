//! Handles of variables: `VarHandleOp` of a resource variable, `Variable` and `VariableV2` references to variables of
//! the session, `TemporaryVariable` of one that lives within a step.
//!
//! A variable has no value until the first assignment. Nodes of one `container` and `shared_name` share a variable, and
//! have one dtype; those of references that have no name share it by their node's name.

use crate::named::{NodeResource, Unnamed, info};
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_ops::state::{DestroyResourceOp, DestroyTemporaryVariable, TemporaryVariable, VarHandleOp};
use oplink_ops::state::{Variable, VariableV2};

/// The name of variables that only their handle reaches.
const ANONYMOUS: &str = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

/// `VarHandleOp` with the node's handle. Nodes without a name share a variable; the name that stands for an anonymous
/// variable gives a new variable at each run. The attrs `dtype` and `shape` declare what values to expect; an
/// assignment of another dtype is an error, one of another shape is not.
#[derive(Debug)]
pub struct VarHandleOpCpu(NodeResource);

#[kernel(VarHandleOp, device = CPU, dtype = any)]
impl Kernel for VarHandleOpCpu {
    type Op = VarHandleOp;

    fn new(construction: Construction<'_, VarHandleOp>) -> Result<Self> {
        let attrs = construction.attrs;
        let info = info(construction.node(), attrs.container, attrs.shared_name, "variable", Unnamed::NodeName)?;
        let dtypes_and_shapes = vec![(attrs.dtype, attrs.shape.clone())];
        Ok(Self(NodeResource::new(ResourceInfo { name: attrs.shared_name.to_owned(), dtypes_and_shapes, ..info })))
    }

    fn compute(
        &self,
        _: <VarHandleOp as TypedOp>::Inputs<'_>,
        outputs: &mut <VarHandleOp as TypedOp>::Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let tensor = if self.0.info().name == ANONYMOUS {
            Tensor::scalar(ResourceHandle::new(self.0.info().clone()))
        } else {
            self.0.handle(env)?.clone()
        };
        outputs.resource.set(tensor);
        Ok(())
    }
}

/// `Variable` and `VariableV2` with the node's handle. The attr `shape` is what `Assign` checks, an unknown one
/// standing for a scalar.
#[derive(Debug)]
pub struct VariableCpu {
    resource: NodeResource,
    dtype: DType,
    shape: PartialShape,
}

#[kernel(Variable, device = CPU, dtype = any)]
#[kernel(VariableV2, device = CPU, dtype = any)]
impl Kernel for VariableCpu {
    type Op = VariableV2;

    fn new(construction: Construction<'_, VariableV2>) -> Result<Self> {
        let attrs = construction.attrs;
        // Resource variables of the same name have another type, so that they are others.
        let kind = "reference variable";
        let info = info(construction.node(), attrs.container, attrs.shared_name, kind, Unnamed::NodeName)?;
        let shape = if attrs.shape.rank().is_some() { attrs.shape.clone() } else { PartialShape::scalar() };
        Ok(Self { resource: NodeResource::new(info), dtype: attrs.dtype, shape })
    }

    fn compute(
        &self,
        _: <VariableV2 as TypedOp>::Inputs<'_>,
        outputs: &mut <VariableV2 as TypedOp>::Outputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let make = |_: &str| Ok(oplink::resource::Variable::new(self.dtype, self.shape.clone()));
        self.resource.output(&mut outputs.r#ref, env, make).map(drop)
    }
}

/// `TemporaryVariable` of every dtype: each run makes a variable of its own, with a value of the attr `shape`, to be
/// written before it is read.
#[kernel(TemporaryVariable, device = CPU, dtype = any)]
pub fn temporary_variable_cpu(
    dtype: DType,
    shape: &PartialShape,
    var_name: &str,
    mut r#ref: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let Some(known) = shape.to_shape() else { bail!("the shape {shape} of a temporary variable must be fully known") };
    let name = if var_name.is_empty() { &env.node().name } else { var_name };
    let (name, type_name) = (name.to_owned(), "temporary variable".into());
    let handle = ResourceHandle::new(ResourceInfo { name, type_name, ..ResourceInfo::default() });
    let variable = handle.get_or_create(|| Ok(oplink::resource::Variable::new(dtype, shape.clone())))?;
    variable.assign(Tensor::zeros(dtype, known)?)?;
    r#ref.set_scalar(handle);
    Ok(())
}

/// `DestroyTemporaryVariable` of every dtype: the last value. That the attr `var_name` is the variable's is checked.
#[kernel(DestroyTemporaryVariable, device = CPU, T = any)]
pub fn destroy_temporary_variable_cpu(r#ref: &ResourceHandle, var_name: &str) -> Result<Tensor> {
    if r#ref.info().is_none_or(|info| info.name != var_name) {
        let message = format!("there is no temporary variable `{var_name}`, the reference is to {ref}");
        return Err(Error::not_found(message));
    }
    let value = r#ref.get::<oplink::resource::Variable>()?.read()?;
    r#ref.destroy();
    Ok(value)
}

/// `DestroyResourceOp` of resources of any type. Where there is none, that is an error unless the attr
/// `ignore_lookup_error` is set. Whoever still works on the resource keeps it until then; the handle stays good for a
/// new resource of the name.
#[kernel(DestroyResourceOp, device = CPU)]
pub fn destroy_resource_op_cpu(resource: &ResourceHandle, ignore_lookup_error: bool) -> Result<()> {
    if !resource.destroy() && !ignore_lookup_error {
        return Err(Error::not_found(format!("there is no resource {resource} to destroy")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

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
        let names: Vec<_> =
            step.step().resources().of_type::<oplink::resource::Variable>().into_iter().map(|(key, _)| key.2).collect();
        assert_eq!(names, ["v"]);
    }

    #[test]
    fn anonymous_variables_are_different_ones() {
        let step = InStep::new(1);
        let made = || handle(&step, ANONYMOUS).to_scalar::<ResourceHandle>().unwrap();
        assert_ne!(made(), made());
        assert!(step.step().resources().resources().is_empty());
    }

    #[test]
    fn ends_with_its_destruction() {
        let step = InStep::new(1);
        let attrs = [("dtype", DType::Int32.into()), ("shape", Shape::new(&[2]).into()), ("var_name", "t".into())];
        let reference = step.one("TemporaryVariable", &attrs, vec![]).unwrap();
        step.run("AssignAdd", &[], vec![reference.clone(), [1, 2].into()]).unwrap();
        let destroy = |name: &str| {
            let attrs = [("var_name", name.into()), ("T", DType::Int32.into())];
            step.one("DestroyTemporaryVariable", &attrs, vec![reference.clone()])
        };
        assert_eq!(destroy("u").unwrap_err().code(), Code::NotFound);
        assert_eq!(destroy("t").unwrap().as_slice::<i32>().unwrap(), [1, 2]);
        assert_eq!(destroy("t").unwrap_err().code(), Code::NotFound);
    }
}
