//! `Where`: the coordinates of the elements that are not zero.
//!
//! One row of int64 coordinates for each, in row-major order: shape [count, rank]. NaN is not zero, -0.0 is.

use oplink::prelude::*;

/// The coordinates of true or nonzero elements.
#[op("Where",
     no_gradient,
     input = "input: T",
     output = "index: int64",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool} = DT_BOOL",
     shape = shape_fns::where_indices)]
pub struct Where;

/// `Where` of numbers and bool.
#[kernel(Where, device = CPU, T = [numbers, bool])]
pub fn where_cpu<T: Element + PartialEq>(context: &KernelContext<'_>, input: &Tensor) -> Result<Tensor> {
    let zero = T::default();
    let values = input.as_slice::<T>()?;
    let count = values.iter().filter(|&value| *value != zero).count();
    let mut out = context.allocate_output(0, [count, input.rank()])?;
    let Some((&width, outer)) = input.shape().split_last() else { return Ok(out) };
    let mut at = vec![0i64; outer.len() + 1];
    let mut places = out.as_mut_slice::<i64>()?.chunks_exact_mut(at.len());
    for row in values.chunks_exact(width.max(1)) {
        for (column, _) in row.iter().enumerate().filter(|&(_, value)| *value != zero) {
            at[outer.len()] = column as i64;
            if let Some(place) = places.next() {
                place.iter_mut().zip(&at).for_each(|(place, &at)| *place = at);
            }
        }
        advance(&mut at[..outer.len()], outer);
    }
    Ok(out)
}

/// Moves to the next position of a row-major shape.
fn advance(at: &mut [i64], dims: &[usize]) {
    for (position, &dim) in at.iter_mut().zip(dims).rev() {
        *position += 1;
        if *position < dim as i64 {
            return;
        }
        *position = 0;
    }
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
