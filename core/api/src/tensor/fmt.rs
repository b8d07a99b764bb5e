//! How tensors print: dtype, shape and the first elements, or the device that has them.

use std::fmt;

use half::{bf16, f16};
use num_complex::Complex;

use super::Tensor;
use crate::{DType, Element, TString};

const SHOWN: usize = 8;

fn elements<T: Element>(tensor: &Tensor, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let values = tensor.as_slice::<T>().map_err(|_| fmt::Error)?;
    for (i, value) in values.iter().take(SHOWN).enumerate() {
        write!(f, "{}{value:?}", if i > 0 { ", " } else { "" })?;
    }
    f.write_str(if values.len() > SHOWN { ", …" } else { "" })
}

macro_rules! print_by_dtype {
    ($tensor:expr, $f:expr; $($dtype:ident => $ty:ty),* $(,)?) => {
        match $tensor.dtype() {
            $(DType::$dtype => elements::<$ty>($tensor, $f),)*
            _ => $f.write_str("…"),
        }
    };
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(memory) = self.device_memory() {
            return write!(f, "{}{} in the memory of {}", self.dtype(), self.shape(), memory.block.device());
        }
        write!(f, "{}{} [", self.dtype(), self.shape())?;
        print_by_dtype!(self, f; Float => f32, Double => f64, Int32 => i32, UInt8 => u8, Int16 => i16, Int8 => i8,
            String => TString, Complex64 => Complex<f32>, Int64 => i64, Bool => bool, BFloat16 => bf16, UInt16 => u16,
            Complex128 => Complex<f64>, Half => f16, UInt32 => u32, UInt64 => u64)?;
        f.write_str("]")
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
