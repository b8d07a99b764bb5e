//! Elements of any real dtype in single precision: what images are computed in.

use std::borrow::Cow;

use oplink::memory::try_collect;
use oplink::prelude::*;

/// The elements of a tensor of numbers, rounded to single precision.
pub(crate) fn floats(tensor: &Tensor) -> Result<Cow<'_, [f32]>> {
    fn rounded<T: Element>(tensor: &Tensor, float: impl Fn(&T) -> f32) -> Result<Cow<'_, [f32]>> {
        try_collect(tensor.as_slice::<T>()?.iter().map(float)).map(Cow::Owned)
    }
    match tensor.dtype() {
        DType::Float => tensor.as_slice().map(Cow::Borrowed),
        DType::Double => rounded(tensor, |&v: &f64| v as f32),
        DType::Half => rounded(tensor, |v: &f16| v.to_f32()),
        DType::BFloat16 => rounded(tensor, |v: &bf16| v.to_f32()),
        DType::Int8 => rounded(tensor, |&v: &i8| f32::from(v)),
        DType::UInt8 => rounded(tensor, |&v: &u8| f32::from(v)),
        DType::Int16 => rounded(tensor, |&v: &i16| f32::from(v)),
        DType::UInt16 => rounded(tensor, |&v: &u16| f32::from(v)),
        DType::Int32 => rounded(tensor, |&v: &i32| v as f32),
        DType::UInt32 => rounded(tensor, |&v: &u32| v as f32),
        DType::Int64 => rounded(tensor, |&v: &i64| v as f32),
        DType::UInt64 => rounded(tensor, |&v: &u64| v as f32),
        other => bail!("images of {other} cannot be computed with"),
    }
}
