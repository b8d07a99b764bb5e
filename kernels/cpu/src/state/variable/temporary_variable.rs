//! `TemporaryVariable` and `DestroyTemporaryVariable`: a variable that lives within a step.
//!
//! Each run makes a variable of its own, with a value of the attr `shape`, to be written before it is read. Destroying it
//! gives its last value; that the attr `var_name` is the same is checked. Every dtype.

use oplink::prelude::*;
use oplink::{ResourceInfo, Variable};

use super::shapes;

/// A reference to a new variable.
#[op("TemporaryVariable",
     output = "ref: Ref(dtype)",
     attr = "shape: shape",
     attr = "dtype: type",
     attr = "var_name: string = ''",
     stateful,
     shape = shapes::explicit)]
pub struct TemporaryVariable;

/// The last value of a temporary variable.
#[op("DestroyTemporaryVariable",
     input = "ref: Ref(T)",
     output = "value: T",
     attr = "T: type",
     attr = "var_name: string",
     shape = shape_fns::unchanged)]
pub struct DestroyTemporaryVariable;

/// `TemporaryVariable` of every dtype.
#[kernel(TemporaryVariable, device = CPU, dtype = any)]
pub fn temporary_variable_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (dtype, shape): (DType, &PartialShape) = (context.attr("dtype")?, context.attr("shape")?);
    let Some(known) = shape.to_shape() else { bail!("the shape {shape} of a temporary variable must be fully known") };
    let name = match context.attr::<&str>("var_name")? {
        "" => &context.node().name,
        name => name,
    };
    let handle = ResourceHandle::new(ResourceInfo {
        name: name.to_owned(),
        type_name: "temporary variable".into(),
        ..ResourceInfo::default()
    });
    let variable = handle.get_or_create(|| Ok(Variable::new(dtype, shape.clone())))?;
    variable.assign(Tensor::zeros(dtype, known)?)?;
    context.set_scalar(0, handle);
    Ok(())
}

/// `DestroyTemporaryVariable` of every dtype.
#[kernel(DestroyTemporaryVariable, device = CPU, T = any)]
pub fn destroy_temporary_variable_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (handle, name) = (context.handle(0)?, context.attr::<&str>("var_name")?);
    if handle.info().is_none_or(|info| info.name != name) {
        return Err(Error::not_found(format!("there is no temporary variable `{name}`, the reference is to {handle}")));
    }
    let value = handle.get::<Variable>()?.read()?;
    handle.destroy();
    context.set_output(0, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::stepping::InStep;

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
