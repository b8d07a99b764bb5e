//! `Shape`: the extents of a tensor as a vector of `out_type`.
//!
//! It is an error when an extent does not fit `out_type`.

use oplink::prelude::*;

/// Gives the shape of its input.
#[op("Shape",
     no_gradient,
     input = "input: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = shape_fns::shape)]
pub struct Shape;

/// `Shape` of every dtype.
#[kernel(Shape, device = CPU, T = any, out_type = [i32, i64], host_memory = [output])]
pub fn shape_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let out = extents(context.input(0).shape(), context.node().output_dtypes[0])?;
    context.set_output(0, out);
    Ok(())
}

/// The extents as a vector of int32 or int64.
pub(super) fn extents(shape: &oplink::Shape, dtype: DType) -> Result<Tensor> {
    if dtype == DType::Int64 {
        return Ok(shape.iter().map(|&dim| dim as i64).collect::<Vec<_>>().into());
    }
    let dims = shape.iter().map(|&dim| i32::try_from(dim)).collect::<Result<Vec<_>, _>>();
    match dims {
        Ok(dims) => Ok(dims.into()),
        Err(_) => bail!("the shape {shape} does not fit int32; set out_type to int64"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn gives_the_extents() {
        let x = Tensor::zeros(DType::String, [2, 0, 3]).unwrap();
        let out = run("Shape", &[], vec![x.clone()]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [2, 0, 3]);
        let out = run("Shape", &[("out_type", DType::Int64.into())], vec![x]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [2, 0, 3]);
        let out = run("Shape", &[], vec![Tensor::scalar(1f32)]).unwrap();
        assert_eq!(out[0].shape().dims(), [0]);
    }

    #[test]
    fn refuses_extents_that_do_not_fit() {
        let x = Tensor::zeros(DType::Float, [0, 1 << 31]).unwrap();
        assert!(run("Shape", &[], vec![x]).unwrap_err().message().contains("int64"));
    }
}
