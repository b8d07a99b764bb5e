//! The ones of dtypes.

use oplink::element::*;
use oplink::{DType, Element, Result, Tensor};

/// A scalar tensor with the dtype's one.
pub fn one(dtype: DType) -> Result<Tensor> {
    fn of<T: Element + From<u8>>() -> Tensor {
        Tensor::scalar(T::from(1))
    }
    Ok(match dtype {
        DType::Float => of::<f32>(),
        DType::Double => of::<f64>(),
        DType::Int32 => of::<i32>(),
        DType::Int64 => of::<i64>(),
        DType::Int16 => of::<i16>(),
        DType::UInt8 => of::<u8>(),
        DType::UInt16 => of::<u16>(),
        DType::UInt32 => of::<u32>(),
        DType::UInt64 => of::<u64>(),
        DType::Int8 => Tensor::scalar(1i8),
        DType::Bool => Tensor::scalar(true),
        DType::Half => Tensor::scalar(f16::ONE),
        DType::BFloat16 => Tensor::scalar(bf16::ONE),
        DType::Complex64 => Tensor::scalar(Complex::new(1f32, 0.0)),
        DType::Complex128 => Tensor::scalar(Complex::new(1f64, 0.0)),
        other => oplink::bail!("{other} has no one"),
    })
}
