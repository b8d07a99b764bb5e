//! `Where`: the coordinates of the elements that are not zero.
//!
//! One row of int64 coordinates for each, in row-major order: shape [count, rank]. NaN is not zero, -0.0 is.

use oplink::prelude::*;

/// The coordinates of true or nonzero elements.
#[op("Where",
     input = "input: T",
     output = "index: int64",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool} = DT_BOOL",
     shape = shape_fns::where_indices)]
pub struct Where;

/// `Where` of numbers and bool.
#[kernel(Where, device = CPU, T = [numbers, bool])]
pub fn where_cpu<T: Element + PartialEq>(context: &KernelContext<'_>, input: &Tensor) -> Result<Tensor> {
    let zero = T::default();
    let values = input.as_slice::<T>()?.iter().enumerate();
    let positions: Vec<usize> = values.filter(|(_, value)| **value != zero).map(|(position, _)| position).collect();
    coordinates(context, &positions, input.shape())
}

fn coordinates(context: &KernelContext<'_>, positions: &[usize], shape: &Shape) -> Result<Tensor> {
    let mut out = context.allocate_output(0, [positions.len(), shape.rank()])?;
    if shape.rank() > 0 {
        let rows = out.as_mut_slice::<i64>()?.chunks_exact_mut(shape.rank());
        for (row, &position) in rows.zip(positions) {
            let mut rest = position;
            for (value, &dim) in row.iter_mut().zip(shape.iter()).rev() {
                *value = (rest % dim) as i64;
                rest /= dim;
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn lists_coordinates() {
        let x = Tensor::from_vec([2, 2], vec![true, false, true, true]).unwrap();
        let out = run_one("Where", vec![x]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i64>().unwrap()), (&[3, 2][..], &[0, 0, 1, 0, 1, 1][..]));
        let out = run_one("Where", vec![Tensor::from([0.0, -0.0, f32::NAN, 2.0])]).unwrap();
        assert_eq!(out.as_slice::<i64>().unwrap(), [2, 3]);
        assert_eq!(run_one("Where", vec![Tensor::scalar(1i64)]).unwrap().shape().dims(), [1, 0]);
    }
}
