//! Normalization with statistics that are given, as graphs before batch normalization have it.
//!
//! `t` is [batch, rows, columns, channels]; `m`, `v`, `beta` and `gamma` are vectors with an entry for each channel.

use oplink::prelude::*;

/// `(t - m) / sqrt(v + variance_epsilon) * gamma + beta`, without `gamma` unless `scale_after_normalization` says so.
#[op("BatchNormWithGlobalNormalization",
     input = "t: T",
     input = "m: T",
     input = "v: T",
     input = "beta: T",
     input = "gamma: T",
     output = "result: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "variance_epsilon: float",
     attr = "scale_after_normalization: bool",
     deprecated(since = 9, note = "Use tf.nn.batch_normalization()"),
     shape = normalize)]
pub struct BatchNormWithGlobalNormalization;

/// The gradients of `BatchNormWithGlobalNormalization` with respect to its inputs; that of `gamma` is 0 where it was
/// not used.
#[op("BatchNormWithGlobalNormalizationGrad",
     input = "t: T",
     input = "m: T",
     input = "v: T",
     input = "gamma: T",
     input = "backprop: T",
     output = "dx: T",
     output = "dm: T",
     output = "dv: T",
     output = "db: T",
     output = "dg: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "variance_epsilon: float",
     attr = "scale_after_normalization: bool",
     deprecated(since = 9, note = "Use tf.nn.batch_normalization()"),
     shape = gradients)]
pub struct BatchNormWithGlobalNormalizationGrad;

fn normalize(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = with_channels(c, 1..5)?;
    c.set_output(0, shape);
    Ok(())
}

fn gradients(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = with_channels(c, 1..4)?;
    let shape = c.merge(&shape, c.input(4))?;
    let channels = PartialShape::new(&[shape.dim(3)]);
    c.set_output(0, shape);
    for output in 1..5 {
        c.set_output(output, channels.clone());
    }
    Ok(())
}

/// The shape of `t`, whose channels the vectors fit.
fn with_channels(c: &ShapeContext<'_>, vectors: std::ops::Range<usize>) -> Result<PartialShape> {
    let t = c.with_rank(0, 4)?;
    let mut channels = t.dim(3);
    for vector in vectors {
        channels = c.merge_dim(c.with_rank(vector, 1)?.dim(0), channels)?;
    }
    Ok(PartialShape::new(&[t.dim(0), t.dim(1), t.dim(2), channels]))
}
