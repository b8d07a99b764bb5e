//! `StridedSlice`: NumPy's basic indexing, `input[begin:end:strides, …]`.
//!
//! Bit `i` of a mask is about element `i` of `begin`, `end` and `strides`: `begin_mask` and `end_mask` leave a range
//! open, `ellipsis_mask` stands for the axes that the others leave, `new_axis_mask` inserts an axis of extent 1,
//! `shrink_axis_mask` picks the one position at `begin` and drops the axis. Ranges are clamped to the axis; single
//! positions must exist. Every dtype. A slice of whole rows along the first axis shares the input's memory.

use oplink::prelude::*;
use oplink::shape_fns::StridedSliceDim;

use super::region::Region;
use crate::support::movement::{Host, Mover};

/// Picks ranges and positions along the axes of `input`.
#[op("StridedSlice",
     input = "input: T",
     input = "begin: Index",
     input = "end: Index",
     input = "strides: Index",
     output = "output: T",
     attr = "T: type",
     attr = "Index: {int16, int32, int64}",
     attr = "begin_mask: int = 0",
     attr = "end_mask: int = 0",
     attr = "ellipsis_mask: int = 0",
     attr = "new_axis_mask: int = 0",
     attr = "shrink_axis_mask: int = 0",
     shape = shape_fns::strided_slice)]
pub struct StridedSlice;

/// `StridedSlice` of every dtype.
#[kernel(StridedSlice, device = CPU, T = any, Index = any, host_memory = [begin, end, strides])]
pub fn strided_slice_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    strided_slice_by::<Host>(context)
}

/// `StridedSlice` in the memory of `M`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn strided_slice_by<M: Mover>(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let region = Region::of(context, input.shape())?;
    let out = match shared::<M>(input, &region.dims, region.shape.num_elements())? {
        Some(part) => part.with_shape(region.shape)?,
        None => {
            let (base, axes) = region.axes(input.shape());
            M::copy_axes(context, 0, region.shape, input, base, &axes)?
        }
    };
    context.set_output(0, out);
    Ok(())
}

/// The result's elements as a part of the input's memory, where they stand in it one after the other and the memory allows it.
fn shared<M: Mover>(input: &Tensor, dims: &[StridedSliceDim], count: usize) -> Result<Option<Tensor>> {
    let whole = |(dim, &size): (&StridedSliceDim, &usize)| dim.extent == Some(size) && dim.stride == 1;
    match dims.split_first() {
        None => Ok(Some(input.clone())),
        Some((first, rest)) if count > 0 && first.stride == 1 && rest.iter().zip(&input.shape()[1..]).all(whole) => {
            let start = first.begin as usize;
            let part = || input.slice(start, start + first.extent.unwrap_or(0));
            M::may_share(input, start).then(part).transpose()
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn slice(begin: &[i32], end: &[i32], strides: &[i32], masks: [i64; 5]) -> Result<(Vec<usize>, Vec<i32>)> {
        let x = Tensor::from_vec([3, 4], (0..12).collect::<Vec<i32>>()).unwrap();
        let names = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"];
        let attrs: Vec<_> = names.into_iter().zip(masks.map(AttrValue::from)).collect();
        let out = run("StridedSlice", &attrs, vec![x, begin.into(), end.into(), strides.into()])?;
        Ok((out[0].shape().to_vec(), out[0].as_slice::<i32>()?.to_vec()))
    }

    #[test]
    fn picks_as_numpy() {
        assert_eq!(slice(&[1], &[3], &[1], [0; 5]).unwrap(), (vec![2, 4], (4..12).collect()));
        assert_eq!(slice(&[0, 1], &[3, 4], &[2, 2], [0; 5]).unwrap(), (vec![2, 2], vec![1, 3, 9, 11]));
        assert_eq!(slice(&[-1, -1], &[-4, -5], &[-2, -3], [0; 5]).unwrap(), (vec![2, 2], vec![11, 8, 3, 0]));
        assert_eq!(slice(&[0, 2], &[0, 0], &[1, 1], [1, 1, 0, 0, 2]).unwrap(), (vec![3], vec![2, 6, 10]));
        assert_eq!(slice(&[0, 0], &[0, 1], &[1, 1], [0, 0, 1, 0, 0]).unwrap(), (vec![3, 1], vec![0, 4, 8]));
        assert_eq!(slice(&[0, 1], &[0, 2], &[1, 1], [0, 0, 0, 1, 0]).unwrap(), (vec![1, 1, 4], vec![4, 5, 6, 7]));
        assert_eq!(slice(&[-1], &[0], &[1], [0, 0, 0, 0, 1]).unwrap(), (vec![4], vec![8, 9, 10, 11]));
        assert_eq!(slice(&[2], &[1], &[1], [0; 5]).unwrap(), (vec![0, 4], vec![]));
    }

    #[test]
    fn bad_slices_are_errors() {
        assert!(slice(&[0], &[1], &[0], [0; 5]).is_err());
        assert!(slice(&[3], &[4], &[1], [0, 0, 0, 0, 1]).is_err());
        assert!(slice(&[0, 0, 0], &[1, 1, 1], &[1, 1, 1], [0; 5]).is_err());
        assert!(slice(&[0, 0], &[1], &[1, 1], [0; 5]).is_err());
    }
}
