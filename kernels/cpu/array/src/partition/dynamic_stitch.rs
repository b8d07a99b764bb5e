//! `DynamicStitch` and `ParallelDynamicStitch`: slices of several tensors put together by index.
//!
//! `data[n]` starts with the shape of `indices[n]`; each number there, >= 0, is the row of the output that the slice
//! behind it becomes. All slices have one shape. The output has one row more than the largest number; of slices for one
//! row the last stays, and rows without a slice hold the dtype's default. Every dtype.

use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_cpu_support::movement::{self, Axis, put_axes};
use oplink_ops::array::{DynamicStitch, ParallelDynamicStitch};

/// `DynamicStitch` and `ParallelDynamicStitch` of every dtype.
#[kernel(DynamicStitch, device = CPU, T = any, host_memory = [indices])]
#[kernel(ParallelDynamicStitch, device = CPU, T = any, host_memory = [indices])]
pub fn dynamic_stitch_cpu(indices: &[Tensor], data: &[Tensor], mut merged: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let mut rows = 0;
    for (part, (indices, data)) in indices.iter().zip(data).enumerate() {
        ensure!(
            data.shape().starts_with(indices.shape()),
            "the shape {} of data[{part}] must start with the shape {} of indices[{part}]",
            data.shape(),
            indices.shape()
        );
        for &row in indices.as_slice::<i32>()? {
            let Ok(row) = usize::try_from(row) else { bail!("indices[{part}] has {row}, it must be >= 0") };
            rows = rows.max(row + 1);
        }
    }
    let slice = |part: usize| &data[part].shape()[indices[part].rank()..];
    for part in 1..data.len() {
        ensure!(
            slice(part) == slice(0),
            "slices of data[{part}] have the shape {:?}, those of data[0] {:?}",
            slice(part),
            slice(0)
        );
    }
    let length: usize = slice(0).iter().product();
    let out = merged.allocate([&[rows], slice(0)].concat())?;
    if rows > indices.iter().map(Tensor::num_elements).sum() || !covers(indices, rows)? {
        movement::fill(&env, out, None)?;
    }
    for (indices, data) in indices.iter().zip(data) {
        let starts: Vec<isize> = indices.as_slice::<i32>()?.iter().map(|&row| row as isize * length as isize).collect();
        put_axes(out, 0, &[Axis::Table(&starts), Axis::Strided { count: length, stride: 1 }], data)?;
    }
    Ok(())
}

/// Whether each of so many rows has a slice.
fn covers(indices: &[Tensor], rows: usize) -> Result<bool> {
    let mut seen = try_filled(false, rows)?;
    for indices in indices {
        indices.as_slice::<i32>()?.iter().for_each(|&row| seen[row as usize] = true);
    }
    Ok(!seen.contains(&false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn stitch(indices: &[Tensor], data: &[Tensor]) -> Result<Tensor> {
        let serial = run("DynamicStitch", &[], [indices, data].concat())?.remove(0);
        let parallel = run("ParallelDynamicStitch", &[], [indices, data].concat())?.remove(0);
        assert_eq!((serial.shape(), serial.as_slice::<i32>()?), (parallel.shape(), parallel.as_slice()?));
        Ok(serial)
    }

    #[test]
    fn puts_slices_together() {
        let matrix = Tensor::from_vec([2, 2], vec![3, 4, 5, 6]).unwrap();
        let out = stitch(&[1.into(), [2, 0].into()], &[[1, 2].into(), matrix]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[3, 2][..], &[5, 6, 1, 2, 3, 4][..]));
        let gaps = stitch(&[[0, 2].into(), [2].into()], &[[1, 2].into(), [3].into()]).unwrap();
        assert_eq!(gaps.as_slice::<i32>().unwrap(), [1, 0, 3]);
    }

    #[test]
    fn shapes_and_rows_must_fit() {
        let message = |result: Result<Tensor>| result.unwrap_err().message().to_owned();
        assert!(message(stitch(&[[0, 1].into()], &[[1].into()])).contains("must start with"));
        assert!(message(stitch(&[[-1].into()], &[[1].into()])).contains("must be >= 0"));
        assert!(message(stitch(&[0.into(), [1].into()], &[[1].into(), [2].into()])).contains("slices of data[1]"));
    }
}
