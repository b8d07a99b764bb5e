//! Normalization of quantized numbers.
//!
//! Each tensor comes with its range: two scalars, the smaller end first; so do the results.

use oplink::prelude::*;

use super::quantized::set_scalars;

/// Each channel of each image less its mean, over its standard deviation, and the range that it stands for.
///
/// `x` is [batch, rows, columns, channels]; `(x - mean) / sqrt(variance + variance_epsilon)` over the pixels of a
/// channel. The range is that of the results, or with `output_range_given` from `given_y_min` to `given_y_max`, whose
/// nearest end stands for what is outside; its ends are at least `min_separation` apart.
#[op("QuantizedInstanceNorm",
     input = "x: T",
     input = "x_min: float",
     input = "x_max: float",
     output = "y: T",
     output = "y_min: float",
     output = "y_max: float",
     attr = "T: quantizedtype",
     attr = "output_range_given: bool = false",
     attr = "given_y_min: float = 0",
     attr = "given_y_max: float = 0",
     attr = "variance_epsilon: float = 1e-05",
     attr = "min_separation: float = 0.001",
     shape = instance_norm)]
pub struct QuantizedInstanceNorm;

/// Each channel normalised by given statistics, as `BatchNormWithGlobalNormalization` does, and the range that it
/// stands for, from -2^20 to 2^20.
///
/// `t` is [batch, rows, columns, channels], the others are vectors with an entry for each channel, of which there is
/// one at least (TensorFlow wants two). Numbers, scales and offsets are integers of that range, of which 2048 are a
/// unit; products wrap, and are divided by the unit towards 0.
#[op("QuantizedBatchNormWithGlobalNormalization",
     input = "t: Tinput",
     input = "t_min: float",
     input = "t_max: float",
     input = "m: Tinput",
     input = "m_min: float",
     input = "m_max: float",
     input = "v: Tinput",
     input = "v_min: float",
     input = "v_max: float",
     input = "beta: Tinput",
     input = "beta_min: float",
     input = "beta_max: float",
     input = "gamma: Tinput",
     input = "gamma_min: float",
     input = "gamma_max: float",
     output = "result: out_type",
     output = "result_min: float",
     output = "result_max: float",
     attr = "Tinput: quantizedtype",
     attr = "out_type: quantizedtype",
     attr = "variance_epsilon: float",
     attr = "scale_after_normalization: bool",
     shape = batch_norm)]
pub struct QuantizedBatchNormWithGlobalNormalization;

fn instance_norm(c: &mut ShapeContext<'_>) -> Result<()> {
    let x = c.with_rank(0, 4)?;
    for end in 1..3 {
        c.with_rank(end, 0)?;
    }
    let x = if c.input(0).rank().is_some() { x } else { PartialShape::unknown() };
    c.set_output(0, x);
    set_scalars(c, 1..3);
    Ok(())
}

fn batch_norm(c: &mut ShapeContext<'_>) -> Result<()> {
    let t = c.with_rank(0, 4)?;
    let mut channels = t.dim(3);
    for vector in [3, 6, 9, 12] {
        channels = c.merge_dim(c.with_rank(vector, 1)?.dim(0), channels)?;
    }
    c.set_output(0, PartialShape::new(&[t.dim(0), t.dim(1), t.dim(2), channels]));
    set_scalars(c, 1..3);
    Ok(())
}
