//! `Cast` from and to quantized values, 8-bit floats and 4-bit integers: by way of the plain numbers that hold them.

use oplink::element::{Float8E4M3FN, Float8E5M2, Int4, QInt8, QInt16, QInt32, QUInt8, QUInt16, UInt4};
use oplink::prelude::*;

use super::float8::Format;
use super::pairs::converted;
use oplink_ops::math::Cast;

/// `Cast` from quantized values; equal types share memory.
#[kernel(Cast, device = CPU, SrcT = [QInt8, QUInt8, QInt16, QUInt16, QInt32], DstT = [bool, numbers, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn cast_from_quantized_cpu(x: Input<'_>, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    by_way_of_plain(x.take(), truncate, env)
}

/// `Cast` to quantized values.
#[kernel(Cast, device = CPU, SrcT = [bool, numbers], DstT = [QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn cast_to_quantized_cpu(x: Input<'_>, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    by_way_of_plain(x.take(), truncate, env)
}

/// `Cast` from 4-bit integers; equal types share memory.
#[kernel(Cast, device = CPU, SrcT = [Int4, UInt4], DstT = [integers, QInt8, QUInt8, QInt16, QUInt16, QInt32, Int4, UInt4])]
pub fn cast_from_int4_cpu(x: Input<'_>, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    by_way_of_plain(x.take(), truncate, env)
}

/// `Cast` to 4-bit integers, the low bits of others.
#[kernel(Cast, device = CPU, SrcT = [integers, QInt8, QUInt8, QInt16, QUInt16, QInt32], DstT = [Int4, UInt4])]
pub fn cast_to_int4_cpu(x: Input<'_>, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    by_way_of_plain(x.take(), truncate, env)
}

/// `Cast` from 8-bit floats.
#[kernel(Cast, device = CPU, SrcT = [Float8E5M2, Float8E4M3FN], DstT = [bool, numbers, QInt8, QUInt8, QInt16, QUInt16, QInt32])]
pub fn cast_from_float8_cpu(x: Input<'_>, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    by_way_of_plain(x.take(), truncate, env)
}

/// `Cast` to 8-bit floats; equal types share memory.
#[kernel(Cast, device = CPU, SrcT = [floats, Float8E5M2, Float8E4M3FN], DstT = [Float8E5M2, Float8E4M3FN])]
pub fn cast_to_float8_cpu(x: Input<'_>, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    by_way_of_plain(x.take(), truncate, env)
}

fn by_way_of_plain(x: Tensor, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    let dst = env.node().output_dtypes[0];
    if x.dtype() == dst {
        return Ok(x);
    }
    let x = plain(x, env)?;
    match (holder(dst), Format::of(dst)) {
        (_, Some(format)) => float8(&x, format, truncate, env)?.bitcast(dst),
        (Some(holder), _) => low_bits(converted(x, holder, truncate, env)?, dst)?.bitcast(dst),
        _ => converted(x, dst, truncate, env),
    }
}

/// The plain integer whose bits hold a quantized value or a 4-bit integer.
fn holder(dtype: DType) -> Option<DType> {
    match dtype {
        DType::QInt8 | DType::Int4 => Some(DType::Int8),
        DType::QUInt8 | DType::UInt4 => Some(DType::UInt8),
        DType::QInt16 => Some(DType::Int16),
        DType::QUInt16 => Some(DType::UInt16),
        DType::QInt32 => Some(DType::Int32),
        _ => None,
    }
}

/// The values as plain numbers.
fn plain(x: Tensor, env: Env<'_>) -> Result<Tensor> {
    if let Some(holder) = holder(x.dtype()) {
        return x.bitcast(holder);
    }
    let Some(format) = Format::of(x.dtype()) else { return Ok(x) };
    let table: Vec<f32> = (0..=u8::MAX).map(|bits| format.decode(bits)).collect();
    let mut numbers = env.allocate(DType::Float, x.shape().clone())?;
    let bits = x.as_bytes()?;
    numbers.as_mut_slice::<f32>()?.iter_mut().zip(bits).for_each(|(number, &bits)| *number = table[usize::from(bits)]);
    Ok(numbers)
}

/// Bytes of which only the low bits are values of a dtype of 4 bits; of other dtypes they stay.
fn low_bits(holder: Tensor, dtype: DType) -> Result<Tensor> {
    if !matches!(dtype, DType::Int4 | DType::UInt4) {
        return Ok(holder);
    }
    let mut holder = holder.make_unique()?;
    match dtype {
        DType::Int4 => holder.as_mut_slice::<i8>()?.iter_mut().for_each(|value| *value = *value << 4 >> 4),
        _ => holder.as_mut_slice::<u8>()?.iter_mut().for_each(|value| *value &= 0xf),
    }
    Ok(holder)
}

/// The bits of floats as 8-bit ones. With `truncate`, bits of the mantissa that do not fit are cleared first.
fn float8(x: &Tensor, format: Format, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    let mut bits = env.allocate(DType::UInt8, x.shape().clone())?;
    let out = bits.as_mut_slice::<u8>()?.iter_mut();
    let dropped = |mantissa: u32| if truncate { mantissa - format.mantissa } else { 0 };
    match x.dtype() {
        DType::Half => {
            let dropped = dropped(10);
            let value = |v: &f16| f16::from_bits(v.to_bits() >> dropped << dropped).to_f64();
            out.zip(x.as_slice()?).for_each(|(out, v)| *out = format.encode(value(v)));
        }
        DType::BFloat16 => {
            let dropped = dropped(7);
            let value = |v: &bf16| bf16::from_bits(v.to_bits() >> dropped << dropped).to_f64();
            out.zip(x.as_slice()?).for_each(|(out, v)| *out = format.encode(value(v)));
        }
        DType::Float => {
            let dropped = dropped(23);
            let value = |v: &f32| f64::from(f32::from_bits(v.to_bits() >> dropped << dropped));
            out.zip(x.as_slice()?).for_each(|(out, v)| *out = format.encode(value(v)));
        }
        _ => {
            let dropped = dropped(52);
            let value = |v: &f64| f64::from_bits(v.to_bits() >> dropped << dropped);
            out.zip(x.as_slice()?).for_each(|(out, v)| *out = format.encode(value(v)));
        }
    }
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn cast(x: impl Into<Tensor>, dst: DType) -> Tensor {
        run("Cast", &[("DstT", dst.into())], vec![x.into()]).unwrap().remove(0)
    }

    #[test]
    fn quantized_values_are_integers() {
        let quantized = cast([1.7f32, -1.7, 300.0], DType::QInt8);
        assert_eq!(quantized.as_slice::<QInt8>().unwrap(), [QInt8(1), QInt8(-1), QInt8(44)]);
        assert_eq!(cast(quantized.clone(), DType::Double).as_slice::<f64>().unwrap(), [1.0, -1.0, 44.0]);
        assert_eq!(cast(quantized.clone(), DType::QUInt16).as_slice::<QUInt16>().unwrap()[1], QUInt16(65535));
        assert!(cast(quantized.clone(), DType::QInt8).shares_memory_with(&quantized));
    }

    #[test]
    fn four_bits_keep_low_bits() {
        let signed = cast([7, 8, -1, 100], DType::Int4);
        assert_eq!(signed.as_slice::<Int4>().unwrap(), [Int4(7), Int4(-8), Int4(-1), Int4(4)]);
        assert_eq!(cast(signed.clone(), DType::Int64).as_slice::<i64>().unwrap(), [7, -8, -1, 4]);
        let unsigned = cast(signed, DType::UInt4);
        assert_eq!(unsigned.as_slice::<UInt4>().unwrap(), [UInt4(7), UInt4(8), UInt4(15), UInt4(4)]);
    }

    #[test]
    fn eight_bit_floats_round() {
        let small = cast([1.0f64 + 0.0625 + 1e-12, -500.0], DType::Float8E4M3FN);
        assert_eq!(small.as_slice::<Float8E4M3FN>().unwrap(), [Float8E4M3FN(57), Float8E4M3FN(0xff)]);
        assert_eq!(cast(small.clone(), DType::Half).as_slice::<f16>().unwrap()[0].to_f32(), 1.125);
        let wide = cast(small, DType::Float8E5M2);
        assert_eq!(wide.as_slice::<Float8E5M2>().unwrap(), [Float8E5M2(60), Float8E5M2(0xfe)]);
        assert_eq!(cast(wide, DType::Int32).as_slice::<i32>().unwrap(), [1, i32::MIN]);
    }

    #[test]
    fn truncation_clears_the_mantissa() {
        let attrs = [("DstT", DType::Float8E5M2.into()), ("Truncate", true.into())];
        let out = run("Cast", &attrs, vec![[1.9f32, -61440.0, 65536.0].into()]).unwrap();
        assert_eq!(out[0].as_slice::<Float8E5M2>().unwrap(), [0x3f, 0xfb, 0x7c].map(Float8E5M2));
    }
}
