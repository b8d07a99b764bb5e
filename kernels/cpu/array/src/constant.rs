//! `Const`, a tensor stored in the graph; `Placeholder` and `PlaceholderV2`, values that each run is fed with.
//!
//! The output of `Const` is the attr `value` itself, of any dtype and shape; every run gives the same memory, uncopied.
//! A run that needs a placeholder and does not feed it gets an error.

use oplink::prelude::*;
use oplink_ops::array::{Const, Placeholder, PlaceholderV2};

/// `Const` of every dtype.
#[kernel(Const, device = CPU, dtype = any)]
pub fn const_cpu(value: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    let dtype = output.dtype();
    ensure!(value.dtype() == dtype, "the attr value holds {}, the attr dtype says {dtype}", value.dtype());
    output.set(value.clone());
    Ok(())
}

/// The error that the value was not fed.
#[kernel(Placeholder, device = CPU, dtype = any)]
#[kernel(PlaceholderV2, device = CPU, dtype = any)]
pub fn placeholder_cpu(shape: &PartialShape, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    bail!("placeholder `{}` must be fed with a value of {} and shape {shape}", env.node().name, output.dtype())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn gives_its_value_uncopied() {
        let value = Tensor::from([1i32, 2]);
        let out = run("Const", &[("value", (&value).into()), ("dtype", DType::Int32.into())], vec![]).unwrap();
        assert!(out[0].shares_memory_with(&value));
    }

    #[test]
    fn refuses_a_value_of_another_dtype() {
        let attrs = [("value", Tensor::scalar(1f32).into()), ("dtype", DType::Int32.into())];
        assert!(run("Const", &attrs, vec![]).unwrap_err().message().contains("float"));
    }

    #[test]
    fn an_unfed_value_is_an_error_that_names_it() {
        let error = run("Placeholder", &[("dtype", DType::Float.into())], vec![]).unwrap_err();
        assert_eq!(error.message(), "placeholder `Placeholder` must be fed with a value of float and shape ?");
    }
}
