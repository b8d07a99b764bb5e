//! `ShapeN`: the extents of each input as a vector of `out_type`.
//!
//! It is an error when an extent does not fit `out_type`.

use oplink::prelude::*;

use super::shape::extents;

/// Gives the shapes of its inputs.
#[op("ShapeN",
     no_gradient,
     input = "input: N * T",
     output = "output: N * out_type",
     attr = "N: int >= 1",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = shape_fns::shape_n)]
pub struct ShapeN;

/// `ShapeN` of every dtype.
#[kernel(ShapeN, device = CPU, T = any, out_type = [i32, i64], host_memory = [output])]
pub fn shape_n_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    for index in 0..context.num_inputs() {
        let out = extents(context.input(index).shape(), context.node().output_dtypes[index])?;
        context.set_output(index, out);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run;
    use oplink::Tensor;

    #[test]
    fn gives_each_inputs_extents() {
        let out = run("ShapeN", &[], vec![Tensor::from([1f32, 2.0]), Tensor::scalar(1f32)]).unwrap();
        assert_eq!((out[0].as_slice::<i32>().unwrap(), out[1].as_slice::<i32>().unwrap()), (&[2][..], &[][..]));
    }
}
