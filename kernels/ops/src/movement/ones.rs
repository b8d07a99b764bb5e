//! The ones of dtypes, and the ends of their numbers.

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

macro_rules! ends {
    ($($(#[$doc:meta])* $name:ident: $end:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// The dtype is not that of real numbers.
        pub fn $name(dtype: DType) -> Result<Tensor> {
            Ok(match dtype {
                DType::Float => Tensor::scalar(f32::$end),
                DType::Double => Tensor::scalar(f64::$end),
                DType::Half => Tensor::scalar(f16::$end),
                DType::BFloat16 => Tensor::scalar(bf16::$end),
                DType::Int8 => Tensor::scalar(i8::$end),
                DType::Int16 => Tensor::scalar(i16::$end),
                DType::Int32 => Tensor::scalar(i32::$end),
                DType::Int64 => Tensor::scalar(i64::$end),
                DType::UInt8 => Tensor::scalar(u8::$end),
                DType::UInt16 => Tensor::scalar(u16::$end),
                DType::UInt32 => Tensor::scalar(u32::$end),
                DType::UInt64 => Tensor::scalar(u64::$end),
                other => oplink::bail!("{other} has no ends"),
            })
        }
    )*};
}

ends! {
    /// A scalar tensor with the lowest finite number of the dtype.
    lowest: MIN;
    /// A scalar tensor with the highest finite number of the dtype.
    highest: MAX;
}
