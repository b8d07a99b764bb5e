//! Products of matrices of quantized numbers with what follows them. A flat table of declarations.
//!
//! `a` is unsigned bytes, 255 steps of its range from `min_a` to `max_a` (`MIN_FIRST`), or of the larger magnitude of
//! both (`SCALED`); `b` is signed bytes, 127 steps of the larger magnitude of `min_b` and `max_b`. Sums of products
//! have 32 bits; then comes, in numbers of single precision, `bias`: an entry for each column, numbers, or as qint32 in
//! units of the sums. With `MIN_FIRST`, numbers are added to so many times the sum of the column of `b` as `min_a` is
//! steps.
//!
//! Outputs of 32 bits are in the units of the sums. Outputs of bytes are 255 steps of the larger magnitude of
//! `min_freezed_output` and `max_freezed_output`, which are also their range. All are rounded to even, and what is
//! outside becomes the nearest end.
//!
//! TensorFlow computes them in graphs alone, with oneDNN. As there, `input_quant_mode` is `MIN_FIRST` whatever it says,
//! unless an op says that it counts. TensorFlow transposes nothing, whatever the attrs say, and so fails unless the
//! matrices are square; here they are transposed first as declared.

use oplink::attr_enum;
use oplink::prelude::*;

use super::quantized::set_scalars;

attr_enum! {
    /// How the numbers of a range became unsigned bytes.
    pub enum InputQuantMode { MinFirst = "MIN_FIRST", Scaled = "SCALED" }
}

/// A product of bytes and a bias.
#[op("QuantizedMatMulWithBias",
     input = "a: T1",
     input = "b: T2",
     input = "bias: Tbias",
     input = "min_a: float",
     input = "max_a: float",
     input = "min_b: float",
     input = "max_b: float",
     output = "out: Toutput",
     output = "min_out: float",
     output = "max_out: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "Toutput: quantizedtype = DT_QINT32",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'",
     enums(input_quant_mode = InputQuantMode),
     shape = product)]
pub struct QuantizedMatMulWithBias;

/// A product of bytes and a bias, as numbers.
///
/// The given range has no part in it. `input_quant_mode` counts.
#[op("QuantizedMatMulWithBiasAndDequantize",
     input = "a: T1",
     input = "b: T2",
     input = "bias: Tbias",
     input = "min_a: float",
     input = "max_a: float",
     input = "min_b: float",
     input = "max_b: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "out: Toutput",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "Toutput: {float}",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'",
     enums(input_quant_mode = InputQuantMode),
     shape = product)]
pub struct QuantizedMatMulWithBiasAndDequantize;

/// A product of bytes, a bias, and the larger of each sum and 0.
#[op("QuantizedMatMulWithBiasAndRelu",
     input = "a: T1",
     input = "b: T2",
     input = "bias: float",
     input = "min_a: float",
     input = "max_a: float",
     input = "min_b: float",
     input = "max_b: float",
     output = "out: Toutput",
     output = "min_out: float",
     output = "max_out: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Toutput: quantizedtype = DT_QINT32",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'",
     enums(input_quant_mode = InputQuantMode),
     shape = product)]
pub struct QuantizedMatMulWithBiasAndRelu;

/// A product of bytes, a bias, and the larger of each number and 0, as bytes of a given range.
#[op("QuantizedMatMulWithBiasAndReluAndRequantize",
     input = "a: T1",
     input = "b: T2",
     input = "bias: Tbias",
     input = "min_a: float",
     input = "max_a: float",
     input = "min_b: float",
     input = "max_b: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "out: Toutput",
     output = "min_out: float",
     output = "max_out: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "Toutput: quantizedtype = DT_QUINT8",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'",
     enums(input_quant_mode = InputQuantMode),
     shape = product)]
pub struct QuantizedMatMulWithBiasAndReluAndRequantize;

/// A product of bytes and a bias, as bytes of a given range.
#[op("QuantizedMatMulWithBiasAndRequantize",
     input = "a: T1",
     input = "b: T2",
     input = "bias: Tbias",
     input = "min_a: float",
     input = "max_a: float",
     input = "min_b: float",
     input = "max_b: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "out: Toutput",
     output = "min_out: float",
     output = "max_out: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "Toutput: quantizedtype = DT_QUINT8",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "input_quant_mode: {'MIN_FIRST', 'SCALED'} = 'MIN_FIRST'",
     enums(input_quant_mode = InputQuantMode),
     shape = product)]
pub struct QuantizedMatMulWithBiasAndRequantize;

fn product(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::matmul(c)?;
    c.with_rank(2, 1)?;
    for range in 3..c.num_inputs() {
        c.with_rank(range, 0)?;
    }
    set_scalars(c, 1..c.num_outputs());
    Ok(())
}
