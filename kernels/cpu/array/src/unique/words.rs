//! Elements as 64-bit words that are equal where the elements are.

use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;

use super::distinct::distinct;

/// So many words for each element of the tensor, and their number for one. Zeros of either sign are equal, but those of
/// 16-bit floats where `short_zeros` says that theirs differ; a NaN equals nothing else in the tensor.
///
/// # Errors
/// A dtype whose elements are no values: resources and variants.
pub(super) fn words(tensor: &Tensor, short_zeros: Zeros) -> Result<(Vec<u64>, usize)> {
    let mut nan = Nan(0);
    let words = match tensor.dtype() {
        DType::Float => each(tensor, |v: f32| nan.word(v.into(), Zeros::Equal))?,
        DType::Double => each(tensor, |v: f64| nan.word(v, Zeros::Equal))?,
        DType::Half => each(tensor, |v: f16| nan.word(v.into(), short_zeros))?,
        DType::BFloat16 => each(tensor, |v: bf16| nan.word(v.into(), short_zeros))?,
        DType::Complex64 => return Ok((parts(tensor, |v: Complex<f32>| [v.re.into(), v.im.into()], nan)?, 2)),
        DType::Complex128 => return Ok((parts(tensor, |v: Complex<f64>| [v.re, v.im], nan)?, 2)),
        DType::Int8 => each(tensor, |v: i8| v as u64)?,
        DType::Int16 => each(tensor, |v: i16| v as u64)?,
        DType::Int32 => each(tensor, |v: i32| v as u64)?,
        DType::Int64 => each(tensor, |v: i64| v as u64)?,
        DType::UInt8 => each(tensor, |v: u8| v.into())?,
        DType::UInt16 => each(tensor, |v: u16| v.into())?,
        DType::UInt32 => each(tensor, |v: u32| v.into())?,
        DType::UInt64 => tensor.as_slice::<u64>()?.to_vec(),
        DType::QInt8 => each(tensor, |v: QInt8| v.0 as u64)?,
        DType::QUInt8 => each(tensor, |v: QUInt8| v.0.into())?,
        DType::QInt16 => each(tensor, |v: QInt16| v.0 as u64)?,
        DType::QUInt16 => each(tensor, |v: QUInt16| v.0.into())?,
        DType::QInt32 => each(tensor, |v: QInt32| v.0 as u64)?,
        DType::Bool => each(tensor, |v: bool| v.into())?,
        DType::String => {
            let texts = tensor.as_slice::<TString>()?;
            let hash =
                |at: usize| texts[at].as_bytes().iter().fold(0, |hash, &byte| super::distinct::mix(hash, byte.into()));
            let rows = distinct(texts.len(), hash, |a, b| texts[a].as_bytes() == texts[b].as_bytes())?;
            rows.numbers.into_iter().map(|number| number as u64).collect()
        }
        other => bail!("elements of {other} cannot be compared"),
    };
    Ok((words, 1))
}

fn each<T: Element + Copy>(tensor: &Tensor, word: impl FnMut(T) -> u64) -> Result<Vec<u64>> {
    Ok(tensor.as_slice::<T>()?.iter().copied().map(word).collect())
}

fn parts<T: Element + Copy>(tensor: &Tensor, parts: impl Fn(T) -> [f64; 2], mut nan: Nan) -> Result<Vec<u64>> {
    let values = tensor.as_slice::<T>()?.iter().flat_map(|&value| parts(value));
    Ok(values.map(|part| nan.word(part, Zeros::Equal)).collect())
}

/// Whether zeros of either sign are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zeros {
    /// They are.
    Equal,
    /// They differ.
    Signed,
}

/// The number of NaNs so far.
struct Nan(u64);

impl Nan {
    fn word(&mut self, value: f64, zeros: Zeros) -> u64 {
        if value.is_nan() {
            self.0 += 1;
            return f64::NAN.to_bits() | self.0;
        }
        match zeros {
            Zeros::Equal => (value + 0.0).to_bits(),
            Zeros::Signed => value.to_bits(),
        }
    }
}
