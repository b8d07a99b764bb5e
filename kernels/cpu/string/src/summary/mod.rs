//! Ops of summaries.

pub mod audio_summary;
pub mod histogram_summary;
pub mod image_summary;
pub mod merge_summary;
pub mod scalar_summary;
pub mod tensor_summary;
pub mod writer;

pub use audio_summary::*;
pub use histogram_summary::*;
pub use image_summary::*;
pub use merge_summary::*;
pub use scalar_summary::*;
pub use tensor_summary::*;
pub use writer::*;

/// The elements of a tensor of real numbers in double precision.
fn doubles(tensor: &oplink::Tensor) -> oplink::Result<Vec<f64>> {
    use oplink::element::{bf16, f16};
    use oplink::{DType, Element, Result, Tensor};
    fn of<T: Element + Copy>(tensor: &Tensor, widen: impl Fn(T) -> f64) -> Result<Vec<f64>> {
        Ok(tensor.as_slice::<T>()?.iter().map(|&value| widen(value)).collect())
    }
    match tensor.dtype() {
        DType::Float => of::<f32>(tensor, f64::from),
        DType::Bool => of::<bool>(tensor, |value| f64::from(u8::from(value))),
        DType::Half => of(tensor, f16::to_f64),
        DType::BFloat16 => of(tensor, bf16::to_f64),
        DType::Int8 => of::<i8>(tensor, f64::from),
        DType::Int16 => of::<i16>(tensor, f64::from),
        DType::Int32 => of::<i32>(tensor, f64::from),
        DType::Int64 => of::<i64>(tensor, |value| value as f64),
        DType::UInt8 => of::<u8>(tensor, f64::from),
        DType::UInt16 => of::<u16>(tensor, f64::from),
        DType::UInt32 => of::<u32>(tensor, f64::from),
        DType::UInt64 => of::<u64>(tensor, |value| value as f64),
        _ => Ok(tensor.as_slice::<f64>()?.to_vec()),
    }
}
