//! Sums and products of quantized numbers, and their activations.

use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::prelude::*;
use oplink_ops::nn::{QuantizedAdd, QuantizedBiasAdd, QuantizedMul, QuantizedRelu, QuantizedRelu6};

use super::ranges::{Integers, Numbers, integer, number, sum_range, unclamped};
use super::requantize::set;
use super::zero::{Quantized, product_range, range};

/// Applies `f` to the elements of two tensors, of which the fewer repeat.
fn combine(x: &Tensor, y: &Tensor, out: &mut Tensor, f: impl Fn(QUInt8, QUInt8) -> i32) -> Result<()> {
    let (x, y) = (x.as_slice::<QUInt8>()?, y.as_slice::<QUInt8>()?);
    let out = out.as_mut_slice::<QInt32>()?;
    ensure!(
        out.len() == x.len().max(y.len()) || out.is_empty(),
        "shapes of which both are stretched are not supported"
    );
    let pairs = x.iter().cycle().zip(y.iter().cycle());
    out.iter_mut().zip(pairs).for_each(|(out, (&x, &y))| *out = QInt32(f(x, y)));
    Ok(())
}

/// `QuantizedAdd` of unsigned bytes.
#[kernel(QuantizedAdd, device = CPU, T1 = [QUInt8], T2 = [QUInt8], Toutput = [QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn quantized_add_cpu(
    x: &Tensor,
    y: &Tensor,
    min_x: &Tensor,
    max_x: &Tensor,
    min_y: &Tensor,
    max_y: &Tensor,
    z: &mut Tensor,
    min_z: &mut Tensor,
    max_z: &mut Tensor,
) -> Result<()> {
    let (of_x, of_y) = ranges([min_x, max_x], [min_y, max_y])?;
    let is_empty = x.num_elements() == 0 || y.num_elements() == 0;
    let is_single = x.num_elements() == 1 || y.num_elements() == 1;
    ensure!(!is_empty || is_single || x.shape() == y.shape(), "x and y must have elements, or the same shape");
    let of_z = sum_range(of_x, of_y, 16_384.0);
    // The integer of a number, which a single number is taken as.
    let exact = |byte: u8, of| integer::<QInt32>(number(QUInt8(byte), of), of_z) as i32;
    // The integers of several are multiples of a rounded step apart.
    let stepped = |byte: u8, of| {
        let [zero, one] = [0, 1].map(|byte| unclamped::<QInt32>(number(QUInt8(byte), of), of_z));
        let value = zero + i64::from(byte) * i64::from((one - zero) as i32);
        value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    };
    let (x_is_single, y_is_single) = (x.num_elements() == 1, y.num_elements() == 1);
    // A byte has few values: each is converted once.
    let all = |of: (f32, f32), is_single: bool| -> Vec<i32> {
        (0..=u8::MAX).map(|byte| if is_single { exact(byte, of) } else { stepped(byte, of) }).collect()
    };
    let (in_x, in_y) = (all(of_x, x_is_single), all(of_y, y_is_single && !x_is_single));
    combine(x, y, z, |x, y| in_x[usize::from(x.0)].wrapping_add(in_y[usize::from(y.0)]))?;
    set(min_z, max_z, of_z)
}

/// `QuantizedMul` of unsigned bytes.
#[kernel(QuantizedMul, device = CPU, T1 = [QUInt8], T2 = [QUInt8], Toutput = [QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn quantized_mul_cpu(
    x: &Tensor,
    y: &Tensor,
    min_x: &Tensor,
    max_x: &Tensor,
    min_y: &Tensor,
    max_y: &Tensor,
    z: &mut Tensor,
    min_z: &mut Tensor,
    max_z: &mut Tensor,
) -> Result<()> {
    let (of_x, of_y) = ranges([min_x, max_x], [min_y, max_y])?;
    let zeros = [of_x, of_y].map(|of| unclamped::<QUInt8>(0.0, of) as i32);
    let steps = |value: QUInt8, zero: i32| value.integer().wrapping_sub(zero);
    combine(x, y, z, |x, y| steps(x, zeros[0]).wrapping_mul(steps(y, zeros[1])))?;
    set(min_z, max_z, product_range(of_x, of_y))
}

/// Two ranges that are not empty.
fn ranges(x: [&Tensor; 2], y: [&Tensor; 2]) -> Result<((f32, f32), (f32, f32))> {
    let both = (range(x[0], x[1])?, range(y[0], y[1])?);
    for (name, (min, max)) in [("x", both.0), ("y", both.1)] {
        ensure!(max > min, "max_{name} must be larger than min_{name}, they are {max} and {min}");
    }
    Ok(both)
}

/// `QuantizedBiasAdd` of bytes.
#[kernel(QuantizedBiasAdd, device = CPU, T1 = [QUInt8], T2 = [QUInt8], out_type = [QInt32])]
#[kernel(QuantizedBiasAdd, device = CPU, T1 = [QInt8], T2 = [QInt8], out_type = [QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments")]
pub fn quantized_bias_add_cpu<T1: Quantized, T2: Quantized>(
    input: &Tensor,
    bias: &Tensor,
    min_input: &Tensor,
    max_input: &Tensor,
    min_bias: &Tensor,
    max_bias: &Tensor,
    output: &mut Tensor,
    min_out: &mut Tensor,
    max_out: &mut Tensor,
) -> Result<()> {
    ensure!(bias.num_elements() > 0, "bias must have elements");
    let (of_input, of_bias) = (range(min_input, max_input)?, range(min_bias, max_bias)?);
    let of_output = sum_range(of_input, of_bias, 131_072.0);
    let integers = Integers::of::<QInt32>(of_output);
    let (numbers, of_biases) = (Numbers::of::<T1>(of_input), Numbers::of::<T2>(of_bias));
    let bias: Vec<i32> =
        bias.as_slice::<T2>()?.iter().map(|&bias| integers.integer::<QInt32>(of_biases.number(bias)).0).collect();
    let pairs = input.as_slice::<T1>()?.iter().zip(bias.iter().cycle());
    for (out, (&value, bias)) in output.as_mut_slice::<QInt32>()?.iter_mut().zip(pairs) {
        *out = QInt32(integers.integer::<QInt32>(numbers.number(value)).0.wrapping_add(*bias));
    }
    set(min_out, max_out, of_output)
}

/// `QuantizedRelu` of unsigned bytes and of 32-bit numbers.
#[kernel(QuantizedRelu, device = CPU, Tinput = [QUInt8], out_type = [QUInt8])]
#[kernel(QuantizedRelu, device = CPU, Tinput = [QInt32], out_type = [QInt32])]
pub fn quantized_relu_cpu<Tinput: Quantized>(
    features: &Tensor,
    min_features: &Tensor,
    max_features: &Tensor,
    activations: &mut Tensor,
    min_activations: &mut Tensor,
    max_activations: &mut Tensor,
) -> Result<()> {
    let of = range(min_features, max_features)?;
    limit::<Tinput>(features, [integer::<Tinput>(0.0, of), i64::MAX], activations)?;
    set(min_activations, max_activations, of)
}

/// `QuantizedRelu6` of unsigned bytes and of 32-bit numbers.
#[kernel(QuantizedRelu6, device = CPU, Tinput = [QUInt8], out_type = [QUInt8])]
#[kernel(QuantizedRelu6, device = CPU, Tinput = [QInt32], out_type = [QInt32])]
pub fn quantized_relu6_cpu<Tinput: Quantized>(
    features: &Tensor,
    min_features: &Tensor,
    max_features: &Tensor,
    activations: &mut Tensor,
    min_activations: &mut Tensor,
    max_activations: &mut Tensor,
) -> Result<()> {
    let of = range(min_features, max_features)?;
    limit::<Tinput>(features, [integer::<Tinput>(0.0, of), integer::<Tinput>(6.0, of)], activations)?;
    set(min_activations, max_activations, of)
}

/// Each integer between two others.
fn limit<T: Quantized>(values: &Tensor, [least, most]: [i64; 2], out: &mut Tensor) -> Result<()> {
    let pairs = out.as_mut_slice::<T>()?.iter_mut().zip(values.as_slice::<T>()?);
    pairs.for_each(|(out, &value)| *out = T::from_integer(i64::from(value.integer()).max(least).min(most) as i32));
    Ok(())
}
