//! `Split` and `SplitV`: a tensor in equal parts, or in parts of given extents, along one axis.
//!
//! `split_dim` is a scalar in `[-rank, rank)`. Every dtype. Outputs share the input's memory where they are contiguous in
//! it. Of `Split`, the axis' extent is a multiple of the number of outputs, the attr `num_split`. Of `SplitV`,
//! `size_splits` is a vector with the extent of each part, -1 at most once for what the others leave (there must be
//! others); together they fill the axis.

use super::super::arguments;
use oplink::prelude::*;
use oplink_cpu_support::movement::{CopyBackend, Host, take_range};
use oplink_ops::array::{Split, SplitV};

/// `Split` of every dtype.
#[kernel(Split, device = CPU, T = any, host_memory = [split_dim])]
pub fn split_cpu(split_dim: &Tensor, value: &Tensor, output: OutputList<'_>, env: Env<'_>) -> Result<()> {
    split_by::<Host>(split_dim, value, output, env)
}

/// `Split` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn split_by<B: CopyBackend>(
    split_dim: &Tensor,
    value: &Tensor,
    output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = arguments::axis(arguments::scalar(split_dim, "split_dim")?, value.rank(), "split_dim")?;
    let (parts, extent) = (output.len(), value.shape()[axis]);
    ensure!(
        extent.is_multiple_of(parts),
        "axis {axis} of shape {} cannot be split into {parts} equal parts",
        value.shape()
    );
    set_parts::<B>(value, axis, &vec![extent / parts; parts], output, env)
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
    split_v_by::<Host>(value, size_splits, split_dim, output, env)
}

/// `SplitV` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn split_v_by<B: CopyBackend>(
    value: &Tensor,
    size_splits: &Tensor,
    split_dim: &Tensor,
    output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = arguments::axis(arguments::scalar(split_dim, "split_dim")?, value.rank(), "split_dim")?;
    let sizes = arguments::vector(size_splits, "size_splits")?;
    ensure!(
        sizes.len() == output.len(),
        "size_splits must have {} elements, one for each output, it is {sizes:?}",
        output.len()
    );
    let extent = value.shape()[axis];
    ensure!(
        sizes.len() != 1 || sizes[0] == extent as i64,
        "a single part must be the axis' extent {extent}, it is {sizes:?}"
    );
    set_parts::<B>(value, axis, &part_sizes(&sizes, extent)?, output, env)
}

/// Sets the outputs to successive parts of these extents along the axis.
fn set_parts<B: CopyBackend>(
    value: &Tensor,
    axis: usize,
    sizes: &[usize],
    mut output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let mut start = 0;
    for (&count, mut output) in sizes.iter().zip(output.iter_mut()) {
        let mut shape = value.shape().clone();
        shape.dims_mut()[axis] = count;
        take_range::<B>(env, &mut output, value, axis, (start, count), shape)?;
        start += count;
    }
    Ok(())
}

/// The extents of the parts of an axis of extent `total`.
fn part_sizes(sizes: &[i64], total: usize) -> Result<Vec<usize>> {
    let given = sizes.iter().filter(|&&size| size != -1).try_fold(0i64, |sum, &size| sum.checked_add(size));
    let rest = given.and_then(|given| (total as i64).checked_sub(given));
    let rests = sizes.iter().filter(|&&size| size == -1).count();
    let rest = match rest {
        Some(rest) if rests <= 1 && rest >= 0 && (rests == 1 || rest == 0) => rest,
        _ => bail!("size_splits {sizes:?} must fill the axis' extent {total}, with -1 at most once for the rest"),
    };
    let size = |&size: &i64| usize::try_from(if size == -1 { rest } else { size });
    match sizes.iter().map(size).collect::<Result<_, _>>() {
        Ok(sizes) => Ok(sizes),
        Err(_) => bail!("size_splits {sizes:?} must be >= 0, or -1 for the rest"),
    }
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

    #[test]
    fn extents_that_do_not_fill_the_axis_are_errors() {
        for sizes in [&[1, 1][..], &[-1, -1], &[4, -1], &[-2, 5], &[i64::MAX, 1]] {
            assert!(part_sizes(sizes, 3).is_err(), "{sizes:?}");
        }
        assert_eq!(part_sizes(&[0, 3, -1], 3).unwrap(), [0, 3, 0]);
    }
}
