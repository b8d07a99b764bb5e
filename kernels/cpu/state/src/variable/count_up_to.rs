//! `CountUpTo` and `ResourceCountUpTo`: count a variable up by one, to a limit. Runs that count one variable follow one
//! after the other.

use oplink::prelude::*;
use oplink::shape_inference::few_ints;
use oplink_ops::state::{CountUpTo, ResourceCountUpTo};

use crate::target::Target;

/// `CountUpTo` and `ResourceCountUpTo`: the value before. A value that is `limit` or more is `OutOfRange`.
#[kernel(CountUpTo, device = CPU, T = [i32, i64])]
#[kernel(ResourceCountUpTo, device = CPU, T = [i32, i64])]
pub fn count_up_to_cpu(r#ref: Option<Input<'_>>, resource: Option<Input<'_>>, limit: i64, t: DType) -> Result<Tensor> {
    let largest = if t == DType::Int32 { i64::from(i32::MAX) } else { i64::MAX };
    ensure!(limit <= largest, "limit must be a number of {t}, it is {limit}");
    let mut before = None;
    Target::of(r#ref, resource, None)?.update(|variable| {
        let value = variable.value()?;
        let (dtype, shape) = (value.dtype(), value.shape());
        ensure!(dtype == t, "the variable holds {dtype}, this op works on it as {t}");
        ensure!(shape.rank() == 0, "the variable must be a scalar, it has shape {shape}");
        let count = few_ints(value)?[0];
        if count >= limit {
            return Err(Error::out_of_range(format!("the variable is {count}, the limit {limit} is reached")));
        }
        let next = if t == DType::Int32 { Tensor::scalar(count as i32 + 1) } else { Tensor::scalar(count + 1) };
        before = variable.replace(next)?;
        Ok(())
    })?;
    before.ok_or_else(|| Error::internal("the variable had no value"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

    #[test]
    fn a_limit_that_is_no_number_of_the_dtype_is_refused() {
        let step = InStep::new(1);
        let attrs = [("dtype", DType::Int32.into()), ("shape", PartialShape::scalar().into())];
        let handle = step.one("VarHandleOp", &attrs, vec![]).unwrap();
        step.run("AssignVariableOp", &[], vec![handle.clone(), (i32::MAX - 1).into()]).unwrap();
        let count = |limit: i64| {
            let attrs = [("limit", limit.into()), ("T", DType::Int32.into())];
            step.one("ResourceCountUpTo", &attrs, vec![handle.clone()])
        };
        assert_eq!(count(1 << 31).unwrap_err().code(), Code::InvalidArgument);
        let limit = i64::from(i32::MAX);
        assert_eq!(count(limit).unwrap().to_scalar::<i32>().unwrap(), i32::MAX - 1);
        assert_eq!(count(limit).unwrap_err().code(), Code::OutOfRange);
    }
}
