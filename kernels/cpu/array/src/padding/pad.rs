//! `Pad` and `PadV2`: a tensor with a border of one value.
//!
//! Row `i` of `paddings`, [rank, 2], is how many positions come before and after axis `i`; the border holds
//! `constant_values`, a scalar, or the dtype's default (zero, false, empty). Every dtype. It is an error when a padding
//! is negative.

use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_cpu_support::movement::{Cell, CellJob, row_major_strides, with_cells};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::array::copies::padded_shape;
use oplink_ops::array::{Pad, PadV2};

/// Fewest elements that are worth a thread.
const GRAIN: usize = 1 << 15;

/// `Pad` and `PadV2` of every dtype.
#[kernel(Pad, device = CPU, T = any, Tpaddings = [i32, i64], host_memory = [paddings])]
#[kernel(PadV2, device = CPU, T = any, Tpaddings = [i32, i64], host_memory = [paddings, constant_values])]
pub fn pad_cpu(
    input: Input<'_>,
    paddings: &Tensor,
    constant_values: Option<&Tensor>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    if let Some(value) = constant_values {
        ensure!(value.rank() == 0, "constant_values must be a scalar, it has shape {}", value.shape());
    }
    let (before, shape) = padded_shape(input.shape(), paddings)?;
    if shape == *input.shape() {
        output.set(input.take());
        return Ok(());
    }
    let out = output.allocate(shape)?;
    let job = Fill { env: &env, out, input: &input, value: constant_values, before: &before };
    with_cells(input.dtype(), job)
}

struct Fill<'a> {
    env: &'a dyn KernelEnv,
    out: &'a mut Tensor,
    input: &'a Tensor,
    value: Option<&'a Tensor>,
    before: &'a [usize],
}

impl CellJob for Fill<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let value = self.value.map_or(Ok(C::default()), |value| C::of(value).map(|cells| cells[0].clone()))?;
        let (source, dims, shape) = (C::of(self.input)?, self.input.shape(), self.out.shape().clone());
        let out = C::of_mut(self.out)?;
        if out.is_empty() {
            return Ok(());
        }
        if source.is_empty() {
            out.fill(value);
            return Ok(());
        }
        // Axes that stay whole at the end belong to one run of elements with the last padded one.
        let last = (0..dims.rank()).rev().find(|&axis| shape[axis] != dims[axis]).unwrap_or(0);
        let inner: usize = dims[last + 1..].iter().product();
        let strides = row_major_strides(dims);
        let (first, length) = (self.before[last] * inner, dims[last] * inner);
        for_each_row(self.env, out, shape[last] * inner, GRAIN, &|row, out: &mut [C]| match source_row(
            row,
            &shape[..last],
            &dims[..last],
            self.before,
            &strides,
        ) {
            Some(start) => {
                out[..first].fill(value.clone());
                out[first..first + length].clone_from_slice(&source[start..][..length]);
                out[first + length..].fill(value.clone());
            }
            None => out.fill(value.clone()),
        });
        Ok(())
    }
}

/// Where the input's part of output row `row` starts in the input, if it has one. Rows go over `shape`.
fn source_row(row: usize, shape: &[usize], dims: &[usize], before: &[usize], strides: &[isize]) -> Option<usize> {
    let mut rest = row;
    let mut start = 0;
    for axis in (0..shape.len()).rev() {
        let position = (rest % shape[axis]).checked_sub(before[axis]).filter(|&p| p < dims[axis])?;
        rest /= shape[axis];
        start += position * strides[axis] as usize;
    }
    Some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    #[test]
    fn puts_a_border_around() {
        let x = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let paddings = Tensor::from_vec([2, 2], vec![1i64, 0, 0, 2]).unwrap();
        let out = run_one("Pad", vec![x.clone(), paddings.clone()]).unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<i32>().unwrap()),
            (&[3, 4][..], &[0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0, 0][..])
        );
        let out = run_one("PadV2", vec![x, paddings, Tensor::scalar(9)]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9]);
    }

    #[test]
    fn empty_inputs_and_scalars() {
        let x = Tensor::zeros(DType::Bool, [0, 2]).unwrap();
        let out = run_one("Pad", vec![x, Tensor::from_vec([2, 2], vec![1, 0, 0, 1]).unwrap()]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<bool>().unwrap()), (&[1, 3][..], &[false; 3][..]));
        let x = Tensor::zeros(DType::Int32, [2, 1, 0]).unwrap();
        let out = run_one("Pad", vec![x, Tensor::from_vec([3, 2], vec![1, 0, 2, 0, 2, 0]).unwrap()]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[3, 3, 2][..], &[0; 18][..]));
        let out = run_one("Pad", vec![Tensor::scalar(1f32), Tensor::zeros(DType::Int32, [0, 2]).unwrap()]).unwrap();
        assert_eq!(out.to_scalar::<f32>().unwrap(), 1.0);
    }

    #[test]
    fn negative_and_misshapen_paddings_are_errors() {
        for paddings in [Tensor::from_vec([1, 2], vec![-1, 0]).unwrap(), Tensor::from([1, 1])] {
            assert!(run_one("Pad", vec![Tensor::from([1f32]), paddings]).is_err());
        }
    }
}
