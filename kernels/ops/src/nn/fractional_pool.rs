//! Pooling over windows of changing extents, which random numbers choose, and its gradients.
//!
//! Rows and columns are cut into as many windows as the ratio asks for: `floor(extent / ratio)`, in runs of `k` and
//! `k + 1` where `k` is the extent over their number, rounded down; in random order, or with `pseudo_random` at
//! multiples of the quotient from a random start. With `overlapping` a window includes the first row and column of
//! the next. The sequences of cuts, from 0 to the extent, are outputs. With `deterministic`, which needs a seed, all
//! runs of a node have the same.

use oplink::prelude::*;

/// The mean of each window.
///
/// `value` is [batch, rows, columns, channels]; the ratios of batches and channels are 1.
#[op("FractionalAvgPool",
     input = "value: T",
     output = "output: T",
     output = "row_pooling_sequence: int64",
     output = "col_pooling_sequence: int64",
     attr = "pooling_ratio: list(float) >= 4",
     attr = "pseudo_random: bool = false",
     attr = "overlapping: bool = false",
     attr = "deterministic: bool = false",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "T: {float, double, int32, int64}",
     shape = pool)]
pub struct FractionalAvgPool;

/// The largest element of each window.
///
/// `value` is [batch, rows, columns, channels]; the ratios of batches and channels are 1.
#[op("FractionalMaxPool",
     input = "value: T",
     output = "output: T",
     output = "row_pooling_sequence: int64",
     output = "col_pooling_sequence: int64",
     attr = "pooling_ratio: list(float) >= 4",
     attr = "pseudo_random: bool = false",
     attr = "overlapping: bool = false",
     attr = "deterministic: bool = false",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "T: {float, double, int32, int64}",
     shape = pool)]
pub struct FractionalMaxPool;

/// The gradient of `FractionalAvgPool` with respect to its input: each element of `out_backprop` in equal shares.
/// Shares are summed in f64.
#[op("FractionalAvgPoolGrad",
     input = "orig_input_tensor_shape: int64",
     input = "out_backprop: T",
     input = "row_pooling_sequence: int64",
     input = "col_pooling_sequence: int64",
     output = "output: T",
     attr = "overlapping: bool = false",
     attr = "T: {float, double, int32, int64}",
     shape = avg_pool_grad)]
pub struct FractionalAvgPoolGrad;

/// The gradient of `FractionalMaxPool` with respect to its input: each element of `out_backprop` at the last of the
/// largest elements of its window.
#[op("FractionalMaxPoolGrad",
     input = "orig_input: T",
     input = "orig_output: T",
     input = "out_backprop: T",
     input = "row_pooling_sequence: int64",
     input = "col_pooling_sequence: int64",
     output = "output: T",
     attr = "overlapping: bool = false",
     attr = "T: {float, double, int32, int64}",
     shape = max_pool_grad)]
pub struct FractionalMaxPoolGrad;

fn pool(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 4)?;
    let ratios: Vec<f32> = c.attr("pooling_ratio")?;
    ensure!(ratios.len() == 4, "pooling_ratio must have 4 entries, it has {}", ratios.len());
    if let Some(ratio) = ratios.iter().find(|&&ratio| !(ratio >= 1.0)) {
        bail!("pooling_ratio must be at least 1, an entry is {ratio}")
    }
    let output = |(axis, ratio): (usize, &f32)| input.dim(axis).map(|extent| pooled(extent, *ratio));
    let shape = ratios.iter().enumerate().map(output).collect::<PartialShape>();
    c.set_output(0, shape);
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[None]));
    Ok(())
}

/// Windows along an axis.
pub fn pooled(extent: usize, ratio: f32) -> usize {
    (extent as f32 / ratio).floor() as usize
}

fn avg_pool_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = match c.input_tensor(0) {
        Some(_) => c.make_shape_from_tensor(0)?,
        None => PartialShape::unknown_of_rank(4),
    };
    ensure!(shape.rank().is_none_or(|rank| rank == 4), "the shape of the input must have 4 extents, it is {shape}");
    c.set_output(0, shape);
    Ok(())
}

fn max_pool_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::unchanged_with_rank::<4>(c)
}
