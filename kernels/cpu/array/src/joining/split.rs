//! `Split` and `SplitV`: a tensor in equal parts, or in parts of given extents, along one axis.
//!
//! `split_dim` is a scalar in `[-rank, rank)`. Every dtype. Outputs share the input's memory where they are contiguous
//! in it. Of `Split`, the axis' extent is a multiple of the number of outputs, the attr `num_split`. Of `SplitV`,
//! `size_splits` is a vector with the extent of each part, -1 at most once for what the others leave (there must be
//! others); together they fill the axis.

use oplink::prelude::*;
use oplink_cpu_support::movement::Host;
use oplink_ops::array::{Split, SplitV, copies};

/// `Split` of every dtype.
#[kernel(Split, device = CPU, T = any, host_memory = [split_dim])]
pub fn split_cpu(split_dim: &Tensor, value: &Tensor, output: OutputList<'_>, env: Env<'_>) -> Result<()> {
    copies::split::<Host>(split_dim, value, output, env)
}

/// `SplitV` of every dtype.
#[kernel(SplitV, device = CPU, T = any, Tlen = any, host_memory = [size_splits, split_dim])]
pub fn split_v_cpu(
    value: &Tensor,
    size_splits: &Tensor,
    split_dim: &Tensor,
    output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::split_v::<Host>(value, size_splits, split_dim, output, env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn splits_along_each_axis() {
        let x = Tensor::from_vec([2, 4], (0..8).collect::<Vec<i32>>()).unwrap();
        let out = run("Split", &[("num_split", 2.into())], vec![Tensor::scalar(-1), x.clone()]).unwrap();
        assert_eq!(
            (out[0].as_slice::<i32>().unwrap(), out[1].as_slice::<i32>().unwrap()),
            (&[0, 1, 4, 5][..], &[2, 3, 6, 7][..])
        );
        let out = run("Split", &[("num_split", 2.into())], vec![Tensor::scalar(0), x.clone()]).unwrap();
        assert!(out[1].shares_memory_with(&x));
        assert!(run("Split", &[("num_split", 3.into())], vec![Tensor::scalar(0), x]).is_err());
    }

    #[test]
    fn splits_into_given_extents() {
        let x = Tensor::from_vec([2, 3], (0..6).collect::<Vec<i32>>()).unwrap();
        let inputs = vec![x, Tensor::from([1i8, -1]), Tensor::scalar(1)];
        let out = run("SplitV", &[("num_split", 2.into())], inputs).unwrap();
        assert_eq!(
            (out[0].as_slice::<i32>().unwrap(), out[1].as_slice::<i32>().unwrap()),
            (&[0, 3][..], &[1, 2, 4, 5][..])
        );
    }

    #[test]
    fn a_single_part_is_written_out() {
        let split = |size: i64| {
            let inputs = vec![Tensor::from([1, 2, 3]), Tensor::from([size]), Tensor::scalar(0)];
            run("SplitV", &[("num_split", 1.into())], inputs)
        };
        assert!(split(3).is_ok() && split(-1).is_err());
    }
}
