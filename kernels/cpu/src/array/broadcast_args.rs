//! `BroadcastArgs`: the shape that two shapes broadcast to.
//!
//! Shapes are vectors of extents, aligned at the last one; an extent of 1 gives way. It is an error when others differ.

use oplink::prelude::*;
use oplink::{broadcast_shapes, int_values};

/// The broadcast of the shapes `s0` and `s1`.
#[op("BroadcastArgs",
     no_gradient,
     input = "s0: T",
     input = "s1: T",
     output = "r0: T",
     attr = "T: {int32, int64} = DT_INT32",
     shape = shape_fns::broadcast_args)]
pub struct BroadcastArgs;

/// `BroadcastArgs` of int32 and int64.
#[kernel(BroadcastArgs, device = CPU, T = [i32, i64], host_memory = [s0, s1, r0])]
pub fn broadcast_args_cpu<T: Integer>(s0: &Tensor, s1: &Tensor) -> Result<Tensor> {
    let shape = |tensor: &Tensor, name: &str| {
        ensure!(tensor.rank() == 1, "{name} must be a vector, it has shape {}", tensor.shape());
        Shape::from_i64(&int_values(tensor)?)
    };
    let out = broadcast_shapes(&shape(s0, "s0")?, &shape(s1, "s1")?)?;
    // Every extent comes from an input, so it fits.
    let extents: Vec<T> = out.iter().filter_map(|&dim| num_traits::NumCast::from(dim)).collect();
    Ok(extents.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn broadcasts_shapes() {
        let out = run_one("BroadcastArgs", vec![Tensor::from([3, 1]), Tensor::from([2, 1, 4])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [2, 3, 4]);
        let out = run_one("BroadcastArgs", vec![Tensor::from([0i64]), Tensor::from([1i64])]).unwrap();
        assert_eq!(out.as_slice::<i64>().unwrap(), [0]);
        assert!(run_one("BroadcastArgs", vec![Tensor::from([3]), Tensor::from([2])]).is_err());
    }
}
