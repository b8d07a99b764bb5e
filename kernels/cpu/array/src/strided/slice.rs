//! `Slice`: `size[i]` positions from `begin[i]` on along each axis, -1 being all that remain.
//!
//! `begin` and `size` are vectors with an element for each axis. Every dtype; rows along the first axis share the
//! input's memory. It is an error when the range is not inside the axis.

use super::super::arguments;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, AxisList, CopyBackend, Host, row_major_strides};
use oplink_ops::array::Slice;

/// `Slice` of every dtype.
#[kernel(Slice, device = CPU, T = any, Index = any, host_memory = [begin, size])]
pub fn slice_cpu(input: &Tensor, begin: &Tensor, size: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    slice_by::<Host>(input, begin, size, output, env)
}

/// `Slice` in the memory of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn slice_by<B: CopyBackend>(
    input: &Tensor,
    begin: &Tensor,
    size: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (begin, size) = (arguments::vector(begin, "begin")?, arguments::vector(size, "size")?);
    let (begin, shape) = resolve(input.shape(), &begin, &size)?;
    let whole_rows = input.rank() > 0 && shape[1..] == input.shape()[1..];
    if shape == *input.shape() {
        output.set(input.clone());
    } else if whole_rows && B::may_share(input, begin[0]) {
        output.set(input.slice(begin[0], begin[0] + shape[0])?);
    } else {
        let strides = row_major_strides(input.shape());
        let base = begin.iter().zip(&strides).map(|(&begin, stride)| begin as isize * stride).sum();
        let axes = shape.iter().zip(&strides).map(|(&count, &stride)| Axis::Strided { count, stride });
        let axes = axes.collect::<AxisList<'_>>();
        B::copy_axes(env, output.allocate(shape)?, input, base, &axes)?;
    }
    Ok(())
}

fn resolve(dims: &Shape, begin: &[i64], size: &[i64]) -> Result<(Vec<usize>, Shape)> {
    ensure!(
        begin.len() == dims.rank() && size.len() == dims.rank(),
        "begin {begin:?} and size {size:?} must have an element for each axis of shape {dims}"
    );
    let range = |axis: usize| {
        let size = if size[axis] == -1 { (dims[axis] as i64).checked_sub(begin[axis]) } else { Some(size[axis]) };
        match (usize::try_from(begin[axis]), size.map(usize::try_from)) {
            (Ok(first), Some(Ok(count))) if first.checked_add(count).is_some_and(|end| end <= dims[axis]) => {
                Ok((first, count))
            }
            _ => bail!("begin {begin:?} and size {size:?} leave axis {axis} of shape {dims}"),
        }
    };
    let ranges = (0..dims.rank()).map(range).collect::<Result<Vec<_>>>()?;
    Ok((ranges.iter().map(|range| range.0).collect(), ranges.iter().map(|range| range.1).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    fn slice(begin: [i64; 2], size: [i64; 2]) -> Result<Vec<i32>> {
        let x = Tensor::from_vec([3, 4], (0..12).collect::<Vec<i32>>()).unwrap();
        let out = run_one("Slice", vec![x, begin.into(), size.into()])?;
        Ok(out.as_slice::<i32>()?.to_vec())
    }

    #[test]
    fn picks_a_box() {
        assert_eq!(slice([1, 1], [2, 2]).unwrap(), [5, 6, 9, 10]);
        assert_eq!(slice([1, 0], [-1, -1]).unwrap(), (4..12).collect::<Vec<_>>());
        assert_eq!(slice([3, 4], [-1, -1]).unwrap(), []);
        assert_eq!(slice([0, 2], [3, 1]).unwrap(), [2, 6, 10]);
    }

    #[test]
    fn ranges_outside_are_errors() {
        for (begin, size) in
            [([-1, 0], [1, 1]), ([0, 0], [4, 1]), ([0, 5], [1, -1]), ([0, 0], [1, -2]), ([1, 0], [i64::MAX, 1])]
        {
            assert!(slice(begin, size).is_err(), "{begin:?} {size:?}");
        }
    }
}
