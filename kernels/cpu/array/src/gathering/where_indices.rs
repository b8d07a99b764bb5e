//! `Where`: the coordinates of the elements that are not zero.
//!
//! One row of int64 coordinates for each, in row-major order: shape [count, rank]. NaN is not zero, -0.0 is.

use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_ops::array::Where;

/// `Where` of numbers and bool.
#[kernel(Where, device = CPU, T = [numbers, bool])]
pub fn where_cpu(input: &Tensor, mut index: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    // An element is zero where all its bits are, but those that are the sign of a float.
    match (input.dtype(), input.dtype().size()) {
        (DType::Half | DType::BFloat16, _) => search::<2>(input, !(1 << 15), &mut index, env),
        (DType::Float, _) => search::<4>(input, !(1 << 31), &mut index, env),
        (DType::Double, _) => search::<8>(input, !(1 << 63), &mut index, env),
        (DType::Complex64, _) => search::<8>(input, !(1 << 63 | 1 << 31), &mut index, env),
        (DType::Complex128, _) => search::<16>(input, !(1 << 127 | 1 << 63), &mut index, env),
        (_, Some(1)) => search::<1>(input, !0, &mut index, env),
        (_, Some(2)) => search::<2>(input, !0, &mut index, env),
        (_, Some(4)) => search::<4>(input, !0, &mut index, env),
        _ => search::<8>(input, !0, &mut index, env),
    }
}

/// Elements that are counted between two looks at the step.
const BLOCK: usize = 1 << 18;

/// Sets the output to the coordinates of the elements, of this many bytes, that have one of the bits of `mask`.
fn search<const BYTES: usize>(input: &Tensor, mask: u128, index: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let values = input.as_bytes()?.as_chunks::<BYTES>().0;
    let mask: [u8; BYTES] = std::array::from_fn(|byte| (mask >> (8 * byte)) as u8);
    let is_set = |value: &[u8; BYTES]| value.iter().zip(&mask).any(|(value, mask)| value & mask != 0);
    let count = values.chunks(BLOCK).map(|values| {
        env.poll();
        values.iter().filter(|&value| is_set(value)).count()
    });
    let count = count.sum();
    let out = index.allocate([count, input.rank()])?;
    let Some((&width, outer)) = input.shape().split_last() else { return Ok(()) };
    let mut at = try_filled(0i64, outer.len() + 1)?;
    let mut rows = out.as_mut_slice::<i64>()?.chunks_exact_mut(at.len());
    for row in env.watch(values.chunks_exact(width.max(1))) {
        for (column, value) in env.watch(row).enumerate() {
            if is_set(value)
                && let Some(out) = rows.next()
            {
                at[outer.len()] = column as i64;
                out.copy_from_slice(&at);
            }
        }
        advance(&mut at[..outer.len()], outer);
    }
    Ok(())
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
    use oplink_cpu_support::testing::run_one;

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
