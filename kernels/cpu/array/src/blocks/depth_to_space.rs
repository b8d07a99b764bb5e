//! `DepthToSpace` and `SpaceToDepth`: channels regrouped as squares of pixels, and back.
//!
//! With the attr `block_size` b, channel `(i * b + j) * c + k` of a pixel at (y, x) stands for channel `k` of the pixel
//! at `(y * b + i, x * b + j)`, c being the number of channels of the larger image. Every dtype, `data_format` `NHWC`
//! and `NCHW`. It is an error when the channels, or the rows and columns, do not divide.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{DepthFormat, DepthToSpace, SpaceToDepth, copies};

/// `DepthToSpace` of every dtype.
#[kernel(DepthToSpace, device = CPU, T = any)]
pub fn depth_to_space_cpu(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::depth_to_space::<Host>(input, block_size, data_format, output, env)
}

/// `SpaceToDepth` of every dtype.
#[kernel(SpaceToDepth, device = CPU, T = any)]
pub fn space_to_depth_cpu(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::space_to_depth::<Host>(input, block_size, data_format, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn regroup(op: &str, input: Tensor, format: &str) -> Result<Tensor> {
        Ok(run(op, &[("block_size", 2.into()), ("data_format", format.into())], vec![input])?.remove(0))
    }

    #[test]
    fn regroup_and_back() {
        let x = Tensor::from_vec([1, 1, 2, 4], (1..=8).collect::<Vec<i32>>()).unwrap();
        let out = regroup("DepthToSpace", x.clone(), "NHWC").unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<i32>().unwrap()),
            (&[1, 2, 4, 1][..], &[1, 2, 5, 6, 3, 4, 7, 8][..])
        );
        let back = regroup("SpaceToDepth", out, "NHWC").unwrap();
        assert_eq!((back.shape(), back.as_slice::<i32>().unwrap()), (x.shape(), x.as_slice::<i32>().unwrap()));
        let y = Tensor::from_vec([1, 4, 1, 2], vec![1, 5, 2, 6, 3, 7, 4, 8]).unwrap();
        let out = regroup("DepthToSpace", y.clone(), "NCHW").unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<i32>().unwrap()),
            (&[1, 1, 2, 4][..], &[1, 2, 5, 6, 3, 4, 7, 8][..])
        );
        assert_eq!(
            regroup("SpaceToDepth", out, "NCHW").unwrap().as_slice::<i32>().unwrap(),
            y.as_slice::<i32>().unwrap()
        );
    }

    #[test]
    fn what_does_not_divide_is_an_error() {
        let x = Tensor::zeros(DType::Float, [1, 3, 2, 3]).unwrap();
        assert!(regroup("DepthToSpace", x.clone(), "NHWC").is_err());
        assert!(regroup("SpaceToDepth", x, "NHWC").is_err());
    }
}
