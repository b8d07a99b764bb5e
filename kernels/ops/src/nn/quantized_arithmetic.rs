//! Arithmetic, activations and pooling of quantized numbers, and their movement.
//!
//! Each tensor comes with its range: two scalars, the smaller end first; so do the results.

use oplink::prelude::*;

use super::quantized::set_scalars;
use crate::attrs::Padding;

/// The sum of two tensors, and the range that it stands for: 2^14 times the largest magnitude of both ranges.
///
/// Shapes are equal, or broadcast; in TensorFlow's order, in which the elements of the smaller tensor repeat along
/// those of the larger.
#[op("QuantizedAdd",
     input = "x: T1",
     input = "y: T2",
     input = "min_x: float",
     input = "max_x: float",
     input = "min_y: float",
     input = "max_y: float",
     output = "z: Toutput",
     output = "min_z: float",
     output = "max_z: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Toutput: quantizedtype = DT_QINT32",
     shape = binary)]
pub struct QuantizedAdd;

/// The product of two tensors, of steps from 0, and the range that it stands for.
///
/// Shapes are as those of `QuantizedAdd`.
#[op("QuantizedMul",
     input = "x: T1",
     input = "y: T2",
     input = "min_x: float",
     input = "max_x: float",
     input = "min_y: float",
     input = "max_y: float",
     output = "z: Toutput",
     output = "min_z: float",
     output = "max_z: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Toutput: quantizedtype = DT_QINT32",
     shape = binary)]
pub struct QuantizedMul;

/// The sum of a tensor and of a vector along its last axis, and the range that it stands for, 2^17 times the
/// largest magnitude of both ranges.
#[op("QuantizedBiasAdd",
     input = "input: T1",
     input = "bias: T2",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_bias: float",
     input = "max_bias: float",
     output = "output: out_type",
     output = "min_out: float",
     output = "max_out: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "out_type: quantizedtype",
     shape = bias_add)]
pub struct QuantizedBiasAdd;

/// The larger of each number and 0, in the range of the input.
#[op("QuantizedRelu",
     input = "features: Tinput",
     input = "min_features: float",
     input = "max_features: float",
     output = "activations: out_type",
     output = "min_activations: float",
     output = "max_activations: float",
     attr = "Tinput: quantizedtype",
     attr = "out_type: quantizedtype = DT_QUINT8",
     shape = relu)]
pub struct QuantizedRelu;

/// Each number between 0 and 6, in the range of the input.
#[op("QuantizedRelu6",
     input = "features: Tinput",
     input = "min_features: float",
     input = "max_features: float",
     output = "activations: out_type",
     output = "min_activations: float",
     output = "max_activations: float",
     attr = "Tinput: quantizedtype",
     attr = "out_type: quantizedtype = DT_QUINT8",
     shape = relu)]
pub struct QuantizedRelu6;

/// The largest number of each window, as `MaxPool` has them.
#[op("QuantizedMaxPool",
     input = "input: T",
     input = "min_input: float",
     input = "max_input: float",
     output = "output: T",
     output = "min_output: float",
     output = "max_output: float",
     attr = "T: quantizedtype",
     attr = "ksize: list(int)",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     enums(padding = Padding),
     shape = max_pool)]
pub struct QuantizedMaxPool;

/// The mean of each window, as `AvgPool` has them, in integers rounded towards 0.
#[op("QuantizedAvgPool",
     input = "input: T",
     input = "min_input: float",
     input = "max_input: float",
     output = "output: T",
     output = "min_output: float",
     output = "max_output: float",
     attr = "T: quantizedtype",
     attr = "ksize: list(int)",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     enums(padding = Padding),
     shape = avg_pool)]
pub struct QuantizedAvgPool;

/// Tensors joined along an axis, in the range that includes 0 and all of theirs.
#[op("QuantizedConcat",
     input = "concat_dim: int32",
     input = "values: N * T",
     input = "input_mins: N * float",
     input = "input_maxes: N * float",
     output = "output: T",
     output = "output_min: float",
     output = "output_max: float",
     attr = "N: int >= 2",
     attr = "T: type",
     shape = concat)]
pub struct QuantizedConcat;

/// Tensors joined along an axis, in one range.
///
/// Of rank 4 with one range for all, they keep it. Otherwise unsigned bytes are in the range from 0 to the largest end
/// of all, signed ones in the range around 0 that includes all. TensorFlow computes it in graphs alone, with oneDNN,
/// and there with `Tidx` of `int32`.
#[op("QuantizedConcatV2",
     input = "values: N * T",
     input = "axis: Tidx",
     input = "input_mins: N * float",
     input = "input_maxes: N * float",
     output = "output: T",
     output = "output_min: float",
     output = "output_max: float",
     attr = "N: int >= 2",
     attr = "T: type",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = concat)]
pub struct QuantizedConcatV2;

/// The same numbers in another shape.
#[op("QuantizedReshape",
     input = "tensor: T",
     input = "shape: Tshape",
     input = "input_min: float",
     input = "input_max: float",
     output = "output: T",
     output = "output_min: float",
     output = "output_max: float",
     attr = "T: type",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = reshape)]
pub struct QuantizedReshape;

fn scalars(c: &ShapeContext<'_>, inputs: std::ops::Range<usize>) -> Result<()> {
    for input in inputs {
        c.with_rank(input, 0)?;
    }
    Ok(())
}

fn binary(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::broadcast_binary(c)?;
    set_scalars(c, 1..3);
    Ok(())
}

fn bias_add(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, bias) = (c.with_rank_at_least(0, 2)?, c.with_rank(1, 1)?);
    scalars(c, 2..6)?;
    let last = input.rank().and_then(|rank| input.dim(rank - 1));
    let depth = c.merge_dim(last, bias.dim(0))?;
    let shape = match input.dims().and_then(<[_]>::split_last) {
        Some((_, leading)) => leading.iter().copied().chain([depth]).collect(),
        None => input.clone(),
    };
    c.set_output(0, shape);
    set_scalars(c, 1..3);
    Ok(())
}

fn relu(c: &mut ShapeContext<'_>) -> Result<()> {
    scalars(c, 1..3)?;
    c.set_output(0, c.input(0).clone());
    set_scalars(c, 1..3);
    Ok(())
}

fn max_pool(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::max_pool(c)?;
    scalars(c, 1..3)?;
    set_scalars(c, 1..3);
    Ok(())
}

fn avg_pool(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::avg_pool(c)?;
    scalars(c, 1..3)?;
    set_scalars(c, 1..3);
    Ok(())
}

fn concat(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::concat(c)?;
    let count: i64 = c.attr("N")?;
    scalars(c, 1 + count as usize..c.num_inputs())?;
    set_scalars(c, 1..3);
    Ok(())
}

fn reshape(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::reshape(c)?;
    scalars(c, 2..4)?;
    set_scalars(c, 1..3);
    Ok(())
}
