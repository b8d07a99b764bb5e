//! `_FusedLayerNorm` and `_FusedLayerNormGrad`: normalisation of each row of the last axis, with the sums of a row made
//! once, and its gradients.
//!
//! `y = (x - mean) / sqrt(variance + epsilon) * scale + offset`, or without the mean where the attr `centered` is
//! false. It is an error when `scale` or `offset` is no vector as long as the last axis.

use super::rows::{mean_of, mean_of_squares};
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::{_FusedLayerNorm, _FusedLayerNormGrad};
use oplink_vmath::loops::{change2, map, zip, zip3};

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 13;
/// Rows whose terms of the gradients by `scale` and `offset` are summed one after the other.
const BLOCK_ROWS: usize = if cfg!(test) { 8 } else { 64 };

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
        let (mean, factor) = statistics(row, epsilon, centered);
        zip3(row, scale, offset, out, |x, scale, offset| (x - mean) * factor * scale + offset);
    });
    Ok(())
}

/// What is subtracted from a row, and what the rest is multiplied by.
fn statistics(row: &[f32], epsilon: f32, centered: bool) -> (f32, f32) {
    let mean = if centered { mean_of(row) } else { 0.0 };
    (mean, (mean_of_squares(row, mean) + epsilon).sqrt().recip())
}

/// `_FusedLayerNormGrad`.
#[kernel(_FusedLayerNormGrad, device = CPU, T = [f32])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn fused_layer_norm_grad_cpu(
    dy: &Tensor,
    x: &Tensor,
    scale: &Tensor,
    epsilon: f32,
    centered: bool,
    mut dx: OutputSlot<'_>,
    mut dscale: OutputSlot<'_>,
    mut doffset: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let Some(&width) = x.shape().last() else { bail!("x must be of rank 1 at least, it is a scalar") };
    ensure!(dy.shape() == x.shape(), "dy must have the shape of x, {}, it has {}", x.shape(), dy.shape());
    let of_scale = scale.shape();
    ensure!(of_scale.dims() == [width], "scale must be a vector of {width} values, it has the shape {of_scale}");
    let backward = Backward { scale: scale.as_slice::<f32>()?, epsilon, centered };
    let by_x = dx.allocate(x.shape().clone())?.as_mut_slice::<f32>()?;
    let (dy, x) = (dy.as_slice::<f32>()?, x.as_slice::<f32>()?);
    let by_scale = dscale.allocate([width])?.as_mut_slice::<f32>()?;
    let by_offset = doffset.allocate([width])?.as_mut_slice::<f32>()?;
    by_scale.fill(0.0);
    by_offset.fill(0.0);
    if by_x.is_empty() {
        return Ok(());
    }
    let block = BLOCK_ROWS * width;
    let mut blocks = try_vec(by_x.len().div_ceil(block))?;
    for ((by_x, dy), x) in by_x.chunks_mut(block).zip(dy.chunks(block)).zip(x.chunks(block)) {
        blocks.push(Block { x, dy, by_x, sums: try_filled(0.0, 2 * width)?, normalized: try_filled(0.0, 2 * width)? });
    }
    for_each_row(&env, &mut blocks, 1, GRAIN.div_ceil(block), &|_, blocks| {
        blocks.iter_mut().for_each(|block| backward.compute(block));
    });
    for block in &blocks {
        let (of_scale, of_offset) = block.sums.split_at(width);
        change2::<false, _, _, _>(by_scale, of_scale, |sum, term| sum + term);
        change2::<false, _, _, _>(by_offset, of_offset, |sum, term| sum + term);
    }
    Ok(())
}

/// What all rows of a gradient have in common.
struct Backward<'a> {
    scale: &'a [f32],
    epsilon: f32,
    centered: bool,
}

/// Some rows of a gradient.
struct Block<'a> {
    x: &'a [f32],
    dy: &'a [f32],
    by_x: &'a mut [f32],
    /// Those by `scale`, then by `offset`.
    sums: Vec<f32>,
    /// A row of `x` normalised, then room for its products.
    normalized: Vec<f32>,
}

impl Backward<'_> {
    fn compute(&self, block: &mut Block<'_>) {
        let width = self.scale.len();
        let (normalized, products) = block.normalized.split_at_mut(width);
        let (by_scale, by_offset) = block.sums.split_at_mut(width);
        let rows = block.by_x.chunks_exact_mut(width).zip(block.dy.chunks_exact(width));
        for ((by_x, dy), x) in rows.zip(block.x.chunks_exact(width)) {
            let (mean, factor) = statistics(x, self.epsilon, self.centered);
            map(x, normalized, |x| (x - mean) * factor);
            zip(dy, normalized, products, |dy, x| dy * x);
            change2::<false, _, _, _>(by_scale, products, |sum, term| sum + term);
            change2::<false, _, _, _>(by_offset, dy, |sum, term| sum + term);
            change2::<false, _, _, _>(products, self.scale, |product, scale| product * scale);
            let slope = mean_of(products);
            zip(dy, self.scale, by_x, |dy, scale| dy * scale);
            let shift = if self.centered { mean_of(by_x) } else { 0.0 };
            change2::<false, _, _, _>(by_x, normalized, |g, x| factor * (g - shift - x * slope));
        }
    }
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

    fn check_gradients(rows: usize, width: usize, centered: bool) {
        let value = |i: usize| ((i * 37 + 11) % 101) as f32 / 40.0 - 1.2;
        let made = |count: usize, from: usize| (0..count).map(|i| value(i + from)).collect::<Vec<f32>>();
        let (x, dy, scale) = (made(rows * width, 0), made(rows * width, 7), made(width, 3));
        let of_matrix = |values: &[f32]| Tensor::from_vec([rows, width], values.to_vec()).unwrap();
        let inputs = || vec![of_matrix(&dy), of_matrix(&x), Tensor::from_slice(&scale)];
        let attrs = [("epsilon", 1e-3f32.into()), ("centered", centered.into())];
        let run = |threads| run_in(&Threads(threads), "_FusedLayerNormGrad", &attrs, inputs()).unwrap();
        let (one, three) = (run(1), run(3));
        let mut expected = [vec![0.0; rows * width], vec![0.0; width], vec![0.0; width]];
        for row in 0..rows {
            let wide =
                |values: &[f32]| values[row * width..][..width].iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
            let mean = |values: &[f64]| values.iter().sum::<f64>() / width as f64;
            let (x, dy) = (wide(&x), wide(&dy));
            let center = if centered { mean(&x) } else { 0.0 };
            let r = (mean(&x.iter().map(|x| (x - center).powi(2)).collect::<Vec<_>>()) + 1e-3).sqrt().recip();
            let n: Vec<f64> = x.iter().map(|x| (x - center) * r).collect();
            let g: Vec<f64> = dy.iter().zip(&scale).map(|(dy, &scale)| dy * f64::from(scale)).collect();
            let shift = if centered { mean(&g) } else { 0.0 };
            let slope = mean(&g.iter().zip(&n).map(|(g, n)| g * n).collect::<Vec<_>>());
            for i in 0..width {
                expected[0][row * width + i] = r * (g[i] - shift - n[i] * slope);
                expected[1][i] += dy[i] * n[i];
                expected[2][i] += dy[i];
            }
        }
        for ((one, three), expected) in one.iter().zip(&three).zip(&expected) {
            let one = one.as_slice::<f32>().unwrap();
            assert_eq!(one, three.as_slice::<f32>().unwrap());
            for (&found, expected) in one.iter().zip(expected) {
                assert!((f64::from(found) - expected).abs() < 3e-5 * (1.0 + expected.abs()), "{found}, not {expected}");
            }
        }
    }

    #[test]
    fn gradients_agree_with_the_formula() {
        for (rows, width) in [(1, 1), (3, 7), (130, 128), (40, 1000), (0, 4), (4, 0)] {
            check_gradients(rows, width, true);
            check_gradients(rows, width, false);
        }
    }

    #[test]
    fn vectors_of_another_length_are_refused() {
        let inputs = vec![Tensor::from_slice(&[1f32, 2.0]), Tensor::from_slice(&[1f32]), Tensor::from_slice(&[1f32])];
        assert!(run_in(&Threads(1), "_FusedLayerNorm", &[("epsilon", 0f32.into())], inputs).is_err());
    }
}
