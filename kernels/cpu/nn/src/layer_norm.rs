//! `_FusedLayerNorm`: normalisation of each row of the last axis, with the sums of a row made once.
//!
//! `y = (x - mean) / sqrt(variance + epsilon) * scale + offset`, or without the mean where the attr `centered` is
//! false. It is an error when `scale` or `offset` is no vector as long as the last axis.

use super::rows::{mean_of, mean_of_squares};
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::_FusedLayerNorm;
use oplink_vmath::loops::zip3;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// `_FusedLayerNorm`.
#[kernel(_FusedLayerNorm, device = CPU, T = [f32])]
pub fn fused_layer_norm_cpu(
    x: &Tensor,
    scale: &Tensor,
    offset: &Tensor,
    epsilon: f32,
    centered: bool,
    mut y: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let Some(&width) = x.shape().last() else { bail!("x must be of rank 1 at least, it is a scalar") };
    for vector in [scale, offset] {
        ensure!(
            vector.shape().dims() == [width],
            "scale and offset must be vectors of {width} values, one has the shape {}",
            vector.shape()
        );
    }
    let (values, scale, offset) = (x.as_slice::<f32>()?, scale.as_slice::<f32>()?, offset.as_slice::<f32>()?);
    let out = y.allocate(x.shape().clone())?.as_mut_slice::<f32>()?;
    if out.is_empty() {
        return Ok(());
    }
    for_each_row(&env, out, width, GRAIN, &|index, out| {
        let row = &values[index * width..][..width];
        let mean = if centered { mean_of(row) } else { 0.0 };
        let factor = (mean_of_squares(row, mean) + epsilon).sqrt().recip();
        zip3(row, scale, offset, out, |x, scale, offset| (x - mean) * factor * scale + offset);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{Threads, run_in};

    fn check(rows: usize, width: usize, centered: bool) {
        let value = |i: usize| ((i * 37 + 11) % 101) as f32 / 7.0 - 3.0;
        let x: Vec<f32> = (0..rows * width).map(value).collect();
        let scale: Vec<f32> = (0..width).map(|i| value(i + 3)).collect();
        let offset: Vec<f32> = (0..width).map(|i| value(i + 5)).collect();
        let inputs = || {
            let x = Tensor::from_vec([rows, width], x.clone()).unwrap();
            vec![x, Tensor::from_slice(&scale), Tensor::from_slice(&offset)]
        };
        let attrs = [("epsilon", 1e-3f32.into()), ("centered", centered.into())];
        let one = run_in(&Threads(1), "_FusedLayerNorm", &attrs, inputs()).unwrap().remove(0);
        let three = run_in(&Threads(3), "_FusedLayerNorm", &attrs, inputs()).unwrap().remove(0);
        assert_eq!(one.as_slice::<f32>().unwrap(), three.as_slice::<f32>().unwrap());
        for (index, &y) in one.as_slice::<f32>().unwrap().iter().enumerate() {
            let (row, column) = (index / width, index % width);
            let row: Vec<f64> = x[row * width..][..width].iter().map(|&x| f64::from(x)).collect();
            let mean = if centered { row.iter().sum::<f64>() / width as f64 } else { 0.0 };
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
            let (scale, offset) = (f64::from(scale[column]), f64::from(offset[column]));
            let expected = (row[column] - mean) / (variance + 1e-3).sqrt() * scale + offset;
            assert!((f64::from(y) - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{y} in place of {expected}");
        }
    }

    #[test]
    fn rows_are_normalised() {
        for (rows, width) in [(1, 1), (3, 7), (130, 128), (40, 1000), (0, 4), (4, 0)] {
            check(rows, width, true);
            check(rows, width, false);
        }
    }

    #[test]
    fn vectors_of_another_length_are_refused() {
        let inputs = vec![Tensor::from_slice(&[1f32, 2.0]), Tensor::from_slice(&[1f32]), Tensor::from_slice(&[1f32])];
        assert!(run_in(&Threads(1), "_FusedLayerNorm", &[("epsilon", 0f32.into())], inputs).is_err());
    }
}
