//! `QuantizedMatMul`: products of matrices of bytes, each less the one that stands for 0, summed in 32 bits.

use super::zero::{product_range, range, zero};
use oplink::element::{QInt32, QUInt8};
use oplink::memory::{try_collect, try_filled};
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_contraction::dot::bytes::{self, BytePanels};
use oplink_cpu_contraction::gemm;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_ops::nn::QuantizedMatMul;

/// `QuantizedMatMul` of unsigned bytes.
#[kernel(QuantizedMatMul, device = CPU, T1 = [QUInt8], T2 = [QUInt8], Toutput = [QInt32], Tactivation = any)]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn quantized_matmul_cpu(
    a: &Tensor,
    b: &Tensor,
    min_a: &Tensor,
    max_a: &Tensor,
    min_b: &Tensor,
    max_b: &Tensor,
    transpose_a: bool,
    transpose_b: bool,
    out: &mut Tensor,
    min_out: &mut Tensor,
    max_out: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    let (range_a, range_b) = (range(min_a, max_a)?, range(min_b, max_b)?);
    ensure!(range_a.1 > range_a.0, "max_a must be larger than min_a, they are {} and {}", range_a.1, range_a.0);
    ensure!(range_b.1 > range_b.0, "max_b must be larger than min_b, they are {} and {}", range_b.1, range_b.0);
    let (left, right) = (super::bytes(a)?, super::bytes(b)?);
    let left = Matrix::of_shape(&left, a.shape())?.transposed(transpose_a);
    let right = Matrix::of_shape(&right, b.shape())?.transposed(transpose_b);
    ensure!(
        left.columns() == right.rows(),
        "matrix size-incompatible: a is {}, b is {}, with inner extents {} and {}",
        a.shape(),
        b.shape(),
        left.columns(),
        right.rows()
    );
    multiply(&env, (left, right), [zero(range_a), zero(range_b)], out.as_mut_slice::<QInt32>()?)?;
    let (low, high) = product_range(range_a, range_b);
    (min_out.as_mut_slice::<f32>()?[0], max_out.as_mut_slice::<f32>()?[0]) = (low, high);
    Ok(())
}

/// Multiplies matrices of bytes, each less the zero of its matrix, of one inner extent.
pub(super) fn multiply(
    env: &dyn KernelEnv,
    (left, right): (Matrix<'_, u8>, Matrix<'_, u8>),
    zeros: [i32; 2],
    out: &mut [QInt32],
) -> Result<()> {
    if !bytes::way().fits(right.rows()) {
        return multiply_integers(env, (left, right), zeros, out);
    }
    let panels = BytePanels::new(env, bytes::way(), right)?;
    bytes::multiply(env, (&left, &bytes::row_sums(left)?), &panels, zeros, QInt32, out)
}

/// Multiplies the steps from zero as 32-bit integers.
fn multiply_integers(
    env: &dyn KernelEnv,
    (left, right): (Matrix<'_, u8>, Matrix<'_, u8>),
    zeros: [i32; 2],
    out: &mut [QInt32],
) -> Result<()> {
    let steps = |matrix: Matrix<'_, u8>, zero: i32| {
        let (data, strides) = matrix.parts();
        let steps = try_collect(data.iter().map(|&value| i32::from(value).wrapping_sub(zero)));
        steps.map(|steps| (steps, (matrix.rows(), matrix.columns()), strides))
    };
    let (left, right) = (steps(left, zeros[0])?, steps(right, zeros[1])?);
    let mut sums = try_filled(0i32, out.len())?;
    let left = Matrix::strided(&left.0, left.1, left.2);
    gemm::product(env, left, Matrix::strided(&right.0, right.1, right.2), &mut sums);
    out.iter_mut().zip(sums).for_each(|(to, sum)| *to = QInt32(sum));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, run};

    #[test]
    fn steps_from_zero_are_multiplied() {
        let bytes = |shape: [usize; 2], values: &[u8]| {
            Tensor::from_vec(shape, values.iter().map(|&value| QUInt8(value)).collect()).unwrap()
        };
        let scalar = |value: f32| Tensor::scalar(value);
        let ends = [scalar(-1.0), scalar(1.55), scalar(0.0), scalar(255.0)];
        let matrices = vec![bytes([2, 2], &[100, 101, 0, 255]), bytes([2, 1], &[3, 200])];
        let out = run("QuantizedMatMul", &[], [matrices.clone(), ends.to_vec()].concat()).unwrap();
        assert_eq!(out[0].as_slice::<QInt32>().unwrap(), [QInt32(200), QInt32(-300 + 155 * 200)]);
        let high = 2.55f32 / 255.0 * 2_147_483_648.0;
        assert!((out[2].to_scalar::<f32>().unwrap() / high - 1.0).abs() < 1e-6);
        let flat = [scalar(1.0), scalar(1.0), scalar(0.0), scalar(1.0)];
        assert!(run("QuantizedMatMul", &[], [matrices, flat.to_vec()].concat()).is_err());
    }

    #[test]
    fn integers_give_what_bytes_give() {
        let (rows, depth, columns, zeros) = (5, 37, 9, [-3, 300]);
        let values =
            |count: usize, seed: usize| (0..count).map(|i| ((i * 7919 + seed) % 256) as u8).collect::<Vec<_>>();
        let (x, y) = (values(rows * depth, 1), values(depth * columns, 2));
        let left = Matrix::row_major(&x, depth, rows).transposed(true);
        let right = Matrix::row_major(&y, depth, columns);
        let (mut integers, mut quads) = (vec![QInt32(7); rows * columns], vec![QInt32(8); rows * columns]);
        multiply_integers(&Threads(1), (left, right), zeros, &mut integers).unwrap();
        let panels = BytePanels::new(&Threads(1), bytes::way(), right).unwrap();
        let sums = bytes::row_sums(left).unwrap();
        bytes::multiply(&Threads(1), (&left, &sums), &panels, zeros, QInt32, &mut quads).unwrap();
        assert_eq!(integers, quads);
    }
}
