//! `ExpandDims`: the same elements with an axis of extent 1 inserted before axis `dim`.
//!
//! `dim` has one element, in `[-rank - 1, rank]`, negative values counting from the end of the result. The output shares
//! the input's memory, whatever its dtype.

use oplink::int_values;
use oplink::prelude::*;

use super::arguments;

/// Inserts an axis of extent 1.
#[op("ExpandDims",
     input = "input: T",
     input = "dim: Tdim",
     output = "output: T",
     attr = "T: type",
     attr = "Tdim: {int32, int64} = DT_INT32",
     shape = shape_fns::expand_dims)]
pub struct ExpandDims;

/// `ExpandDims` of every dtype.
#[kernel(ExpandDims, device = CPU, T = any, Tdim = [i32, i64], host_memory = [dim])]
pub fn expand_dims_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let [dim] = int_values(context.input(1))?[..] else {
        bail!("dim must have one element, it has shape {}", context.input(1).shape())
    };
    let mut shape = context.input(0).shape().to_vec();
    let axis = arguments::axis(dim, shape.len() + 1, "dim")?;
    shape.insert(axis, 1);
    let out = context.take_input(0).with_shape(shape)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::run_one;
    use oplink::{DType, Tensor};

    #[test]
    fn inserts_an_axis() {
        let x = Tensor::zeros(DType::String, [2, 3]).unwrap();
        for (dim, shape) in [(0, [1, 2, 3]), (1, [2, 1, 3]), (-1, [2, 3, 1]), (-3, [1, 2, 3])] {
            let out = run_one("ExpandDims", vec![x.clone(), Tensor::scalar(dim)]).unwrap();
            assert_eq!(out.shape().dims(), shape);
            assert!(out.shares_memory_with(&x));
        }
        for dim in [3i64, -4] {
            assert!(run_one("ExpandDims", vec![x.clone(), Tensor::scalar(dim)]).is_err());
        }
        assert!(run_one("ExpandDims", vec![x, Tensor::from([0, 1])]).is_err());
    }
}
