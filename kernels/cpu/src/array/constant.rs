//! `Const`: a tensor stored in the graph.
//!
//! The output is the attr `value` itself, of any dtype and shape; every run gives the same memory, uncopied.

use oplink::prelude::*;

/// Gives the tensor in the attr `value`.
#[op("Const", output = "output: dtype", attr = "value: tensor", attr = "dtype: type", shape = shape_fns::constant)]
pub struct Const;

/// `Const` of every dtype.
#[kernel(Const, device = CPU, dtype = any)]
pub fn const_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.attr::<&Tensor>("value")?;
    let dtype = context.node().output_dtypes[0];
    ensure!(value.dtype() == dtype, "the attr value holds {}, the attr dtype says {dtype}", value.dtype());
    context.set_output(0, value.clone());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

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
}
