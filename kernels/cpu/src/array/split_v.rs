//! `SplitV`: a tensor in parts of given extents along one axis.
//!
//! `size_splits` is a vector with the extent of each part, -1 at most once for what the others leave (there must be
//! others); together they fill the axis `split_dim`, a scalar in `[-rank, rank)`. Every dtype. Outputs share the input's
//! memory where they stand together in it.

use oplink::prelude::*;

use super::arguments;
use crate::support::movement::{Host, Mover, take_range};

/// Splits `value` into parts of the extents `size_splits` along `split_dim`.
#[op("SplitV",
     input = "value: T",
     input = "size_splits: Tlen",
     input = "split_dim: int32",
     output = "output: num_split * T",
     attr = "num_split: int >= 1",
     attr = "T: type",
     attr = "Tlen: {int8, int32, int64} = DT_INT64",
     shape = shape_fns::split_v)]
pub struct SplitV;

/// `SplitV` of every dtype.
#[kernel(SplitV, device = CPU, T = any, Tlen = any, host_memory = [size_splits, split_dim])]
pub fn split_v_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    split_v_by::<Host>(context)
}

/// `SplitV` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn split_v_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.input(0).clone();
    let axis = arguments::axis(arguments::scalar(context, 2, "split_dim")?, value.rank(), "split_dim")?;
    let sizes = arguments::vector(context, 1, "size_splits")?;
    ensure!(
        sizes.len() == context.num_outputs(),
        "size_splits must have {} elements, one for each output, it is {sizes:?}",
        context.num_outputs()
    );
    let extent = value.shape()[axis];
    ensure!(
        sizes.len() != 1 || sizes[0] == extent as i64,
        "a single part must be the axis' extent {extent}, it is {sizes:?}"
    );
    let mut start = 0;
    for (index, count) in part_sizes(&sizes, extent)?.into_iter().enumerate() {
        let mut shape = value.shape().clone();
        shape.dims_mut()[axis] = count;
        let out = take_range::<M>(context, index, &value, axis, start, count, shape)?;
        context.set_output(index, out);
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
    use crate::support::testing::run;

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
