//! `Size`: the number of elements of a tensor as a scalar of `out_type`.
//!
//! It is an error when the number does not fit `out_type`.

use oplink::prelude::*;

/// Gives the number of elements of its input.
#[op("Size",
     no_gradient,
     input = "input: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = shape_fns::size)]
pub struct Size;

/// `Size` of every dtype.
#[kernel(Size, device = CPU, T = any, out_type = [i32, i64], host_memory = [output])]
pub fn size_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let count = context.input(0).num_elements();
    if context.node().output_dtypes[0] == DType::Int64 {
        context.set_scalar(0, count as i64);
        return Ok(());
    }
    match i32::try_from(count) {
        Ok(count) => context.set_scalar(0, count),
        Err(_) => bail!("{count} elements do not fit int32; set out_type to int64"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::{run, run_one};
    use oplink::{DType, Tensor};

    #[test]
    fn counts_elements() {
        let x = Tensor::zeros(DType::Bool, [2, 3]).unwrap();
        assert_eq!(run_one("Size", vec![x.clone()]).unwrap().to_scalar::<i32>().unwrap(), 6);
        let out = run("Size", &[("out_type", DType::Int64.into())], vec![x]).unwrap();
        assert_eq!(out[0].to_scalar::<i64>().unwrap(), 6);
        assert_eq!(run_one("Size", vec![Tensor::scalar(1f32)]).unwrap().to_scalar::<i32>().unwrap(), 1);
    }
}
