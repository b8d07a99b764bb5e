//! `UniformQuantizedDotHybrid`, and numbers as bytes of a quantization of their own.

use oplink::element::{QInt8, QInt32};
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::nn::UniformQuantizedDotHybrid;

use super::uniform::Uniform;
use super::zero::Quantized;

/// Sets steps from zero to those of numbers, in the quantization of signed bytes that their range gives, and returns
/// its scale. NaN is no end of the range, and becomes what a number of more than 32 bits does.
pub(super) fn quantize(values: &[f32], steps: &mut [i32], env: Env<'_>) -> f32 {
    let (lowest, highest) = (QInt8::LOWEST, QInt8::HIGHEST);
    let ends = env.watch(values).fold((0f32, 0f32), |(min, max), &value| (min.min(value), max.max(value)));
    let (min, max) = (f64::from(ends.0), f64::from(ends.1));
    let scale = ((max - min) / (highest - lowest)) as f32;
    let a_unit = if max == min { 0.0 } else { ((highest - lowest) / (max - min)) as f32 };
    if scale == 0.0 || !a_unit.is_finite() {
        steps.fill(0);
        return 1.0;
    }
    // The zero of the end that has the smaller error.
    let [of_min, of_max] = [min, max].map(|end| end / f64::from(scale));
    let from_min = lowest.abs() + of_min.abs() < highest.abs() + of_max.abs();
    let zero = if from_min { lowest - of_min } else { highest - of_max };
    let zero = i32::from(zero.round() as i8);
    for (step, value) in env.watch(steps.iter_mut().zip(values)) {
        let nearest = QInt32::of((value * a_unit + 0.5).floor()).0.wrapping_add(zero);
        *step = nearest.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) - zero;
    }
    scale
}

/// The entry of a quantization for an output feature.
pub(super) fn at(quantization: &Uniform<'_>, feature: usize) -> usize {
    if quantization.scales.len() == 1 { 0 } else { feature }
}

/// Fails unless all scales are above 0.
pub(super) fn check_positive(name: &str, scales: &Tensor) -> Result<()> {
    let are_positive = scales.as_slice::<f32>()?.iter().all(|&scale| scale > 0.0);
    ensure!(are_positive, "the scales of {name} must all be > 0");
    Ok(())
}

/// `UniformQuantizedDotHybrid` of numbers and bytes.
#[kernel(UniformQuantizedDotHybrid, device = CPU, Tlhs = [f32], Trhs = [QInt8], Tout = [f32])]
pub fn uniform_quantized_dot_hybrid_cpu(
    lhs: &Tensor,
    rhs: &Tensor,
    rhs_scales: &Tensor,
    rhs_zero_points: &Tensor,
    rhs_quantization_axis: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = rhs_quantization_axis;
    ensure!(matches!(axis, -1 | 1), "the quantization axis of rhs must be -1 or 1, it is {axis}");
    let (&[rows, inner], &[depth, columns]) = (lhs.shape().dims(), rhs.shape().dims()) else {
        bail!("lhs and rhs must be matrices, their shapes are {} and {}", lhs.shape(), rhs.shape())
    };
    ensure!(inner == depth, "lhs has {inner} columns, rhs {depth} rows");
    let axis = if rhs_scales.rank() == 0 { -1 } else { 1 };
    let right = Uniform::new(rhs_scales, rhs_zero_points, axis, rhs.shape())?;
    check_positive("rhs", rhs_scales)?;
    let zeros = try_collect((0..columns).map(|column| right.zeros[at(&right, column)]))?;
    let (x, y) = (lhs.as_slice::<f32>()?, rhs.as_slice::<QInt8>()?);
    let out = output.allocate([rows, columns])?.as_mut_slice::<f32>()?;
    let (mut steps, mut sums) = (try_filled(0i32, inner)?, try_filled(0i32, columns)?);
    for (row, out) in out.chunks_exact_mut(columns.max(1)).enumerate() {
        env.poll();
        let scale = quantize(&x[row * inner..][..inner], &mut steps, env);
        sums.fill(0);
        for (&step, y) in env.watch(steps.iter().zip(y.chunks_exact(columns.max(1)))) {
            for (sum, (y, zero)) in sums.iter_mut().zip(y.iter().zip(&zeros)) {
                *sum = sum.wrapping_add(step.wrapping_mul(i32::from(y.0).wrapping_sub(*zero)));
            }
        }
        for (column, (out, &sum)) in out.iter_mut().zip(&sums).enumerate() {
            *out = sum as f32 * scale * right.scales[at(&right, column)];
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn dot(lhs: &[f32], scales: Tensor, zeros: Tensor, axis: i64) -> Result<Vec<f32>> {
        let bytes = [1i8, 2, -3, 4, 50, -60].map(QInt8).to_vec();
        let inputs = vec![Tensor::from_vec([2, 3], lhs.to_vec())?, Tensor::from_vec([3, 2], bytes)?, scales, zeros];
        let attrs = [
            ("Tout", DType::Float.into()),
            ("rhs_quantization_axis", axis.into()),
            ("rhs_quantization_min_val", (-128).into()),
            ("rhs_quantization_max_val", 127.into()),
        ];
        Ok(run("UniformQuantizedDotHybrid", &attrs, inputs)?[0].as_slice::<f32>()?.to_vec())
    }

    #[test]
    fn values_are_those_of_tensorflow() {
        let lhs = [1.0, 2.0, 3.0, -4.0, 5.0, 0.5];
        let one = || (0.5f32.into(), 3i32.into());
        let each = || ([0.5f32, 0.25].into(), [1i32, 2].into());
        let of = |lhs: &[f32], (scales, zeros): (Tensor, Tensor), axis| dot(lhs, scales, zeros, axis).unwrap();
        assert_eq!(of(&lhs, one(), -1), [63.5, -94.0, 0.564_705_9, -11.064_707]);
        assert_eq!(of(&lhs, one(), 1), [63.5, -94.0, 0.564_705_9, -11.064_707]);
        assert_eq!(of(&lhs, each(), 1), [69.5, -45.5, 2.082_353, -5.152_941]);
        assert_eq!(of(&lhs, each(), -1), [69.5, -45.5, 2.082_353, -5.152_941]);
        assert_eq!(of(&[0.0; 6], one(), -1), [0.0; 4]);
        let infinity = [1e-45, 0.0, 0.0, f32::INFINITY, 1.0, 2.0];
        assert_eq!(of(&infinity, one(), -1), [0.0, 0.0, f32::INFINITY, f32::INFINITY]);
        assert_eq!(of(&[f32::NAN, 1.0, 2.0, 1.0, 2.0, 3.0], one(), -1), [41.988_24, -63.498_043, 63.5, -94.0]);
    }

    #[test]
    fn wrong_scales_are_refused() {
        let lhs = [1.0; 6];
        assert!(dot(&lhs, (-1f32).into(), 3i32.into(), -1).is_err());
        assert!(dot(&lhs, 0f32.into(), 3i32.into(), -1).is_err());
        assert!(dot(&lhs, 1f32.into(), 3i32.into(), 0).is_err());
        assert!(dot(&lhs, [1f32].into(), [3i32].into(), 1).is_err());
    }
}
