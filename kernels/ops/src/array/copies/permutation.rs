//! Axes exchanged, reversed and rolled.

use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink::shape_inference::int_values;

use crate::arguments;
use crate::movement::{Axis, AxisList, CopyBackend, collapse, row_major_strides};

/// `Transpose` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn transpose<B: CopyBackend>(x: &Tensor, perm: &Tensor, y: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let perm = permutation(&arguments::vector(perm, "perm")?, x.rank())?;
    let strides = row_major_strides(x.shape());
    let shape: Shape = perm.iter().map(|&axis| x.shape()[axis]).collect();
    let axes = perm.iter().map(|&axis| Axis::Strided { count: x.shape()[axis], stride: strides[axis] });
    let axes = axes.collect::<AxisList<'_>>();
    match collapse(&axes, &mut 0)[..] {
        [] | [Axis::Strided { stride: 1, .. }] => y.set(x.clone().with_shape(shape)?),
        _ => B::copy_axes(env, y.allocate(shape)?, x, 0, &axes)?,
    }
    Ok(())
}

/// The axes of a permutation of `0..rank`.
fn permutation(perm: &[i64], rank: usize) -> Result<Vec<usize>> {
    ensure!(perm.len() == rank, "perm must have an element for each of {rank} axes, it is {perm:?}");
    // bounded: the rank
    let mut seen = vec![false; rank];
    let axis = |&value: &i64| {
        let axis = arguments::axis(value, rank, "perm")?;
        ensure!(!std::mem::replace(&mut seen[axis], true), "perm {perm:?} has axis {axis} more than once");
        Ok(axis)
    };
    perm.iter().map(axis).collect()
}

/// `Reverse` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn reverse<B: CopyBackend>(tensor: &Tensor, dims: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    if tensor.rank() > 8 {
        return Err(Error::unimplemented(format!("tensors of rank {} are not reversed, 8 is the most", tensor.rank())));
    }
    ensure!(
        dims.shape().dims() == [tensor.rank()],
        "dims must be a vector of {} for a tensor of shape {}, it has shape {}",
        tensor.rank(),
        tensor.shape(),
        dims.shape()
    );
    ensure!(tensor.shape().first() != Some(&0), "the first extent of tensor must not be 0, it has {}", tensor.shape());
    reversed::<B>(tensor, dims.as_slice::<bool>()?, output, env)
}

/// `ReverseV2` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn reverse_v2<B: CopyBackend>(tensor: &Tensor, axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    // bounded: the rank
    let mut marks = vec![false; tensor.rank()];
    for axis in arguments::vector(axis, "axis")? {
        let axis = arguments::axis(axis, tensor.rank(), "axis")?;
        ensure!(!std::mem::replace(&mut marks[axis], true), "axis {axis} is given more than once");
    }
    reversed::<B>(tensor, &marks, output, env)
}

/// Sets the output to `tensor` with the order of elements reversed along the axes whose mark is true.
fn reversed<B: CopyBackend>(tensor: &Tensor, marks: &[bool], mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let strides = row_major_strides(tensor.shape());
    let mut base = 0;
    let mut axes = AxisList::new();
    for ((&count, &stride), &mark) in tensor.shape().iter().zip(&strides).zip(marks) {
        if mark && count > 0 {
            base += (count - 1) as isize * stride;
        }
        axes.push(Axis::Strided { count, stride: if mark { -stride } else { stride } });
    }
    B::copy_axes(env, output.allocate(tensor.shape().clone())?, tensor, base, &axes)
}

/// `Roll` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn roll<B: CopyBackend>(
    input: &Tensor,
    shift: &Tensor,
    axis: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(input.rank() > 0, "input must be at least a vector, it is a scalar");
    ensure!(
        shift.rank() <= 1 && shift.shape() == axis.shape(),
        "shift and axis must be scalars or vectors of one length, they have shapes {} and {}",
        shift.shape(),
        axis.shape()
    );
    let dims = input.shape();
    // bounded: the rank
    let mut shifts = vec![0; dims.rank()];
    for (shift, axis) in int_values(shift)?.into_iter().zip(int_values(axis)?) {
        let axis = arguments::axis(axis, dims.rank(), "axis")?;
        let count = dims[axis].max(1) as i64;
        shifts[axis] = (shifts[axis] + shift.rem_euclid(count)) % count;
    }
    let out = output.allocate(dims.clone())?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let strides = row_major_strides(dims);
    let table = |axis: usize| {
        let (count, shift) = (dims[axis], shifts[axis] as usize);
        let from = (0..if shift > 0 { count } else { 0 }).map(|at| (at + count - shift) % count);
        try_collect(env.watch(from.map(|at| at as isize * strides[axis])))
    };
    let tables = (0..dims.rank()).map(table).collect::<Result<Vec<_>>>()?;
    let axes: AxisList<'_> = (0..dims.rank())
        .map(|axis| match shifts[axis] {
            0 => Axis::Strided { count: dims[axis], stride: strides[axis] },
            _ => Axis::Table(&tables[axis]),
        })
        .collect();
    B::copy_axes(env, out, input, 0, &axes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_permutation_is_an_error() {
        for perm in [vec![0], vec![0, 0], vec![0, 2], vec![-3, 0]] {
            assert!(permutation(&perm, 2).is_err(), "{perm:?}");
        }
    }
}
