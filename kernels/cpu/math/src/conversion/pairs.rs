//! The conversion of every pair of plain dtypes, found at run time: what conversions of other dtypes go by way of.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::cast::cast_elements;

type Conversion = fn(&dyn KernelEnv, &Tensor, &mut Tensor, bool) -> Result<()>;

macro_rules! to {
    ($dst:expr, $s:ty) => {
        match $dst {
            DType::Bool => cast_elements::<$s, bool>,
            DType::Int8 => cast_elements::<$s, i8>,
            DType::Int16 => cast_elements::<$s, i16>,
            DType::Int32 => cast_elements::<$s, i32>,
            DType::Int64 => cast_elements::<$s, i64>,
            DType::UInt8 => cast_elements::<$s, u8>,
            DType::UInt16 => cast_elements::<$s, u16>,
            DType::UInt32 => cast_elements::<$s, u32>,
            DType::UInt64 => cast_elements::<$s, u64>,
            DType::Half => cast_elements::<$s, f16>,
            DType::BFloat16 => cast_elements::<$s, bf16>,
            DType::Float => cast_elements::<$s, f32>,
            DType::Double => cast_elements::<$s, f64>,
            DType::Complex64 => cast_elements::<$s, Complex<f32>>,
            DType::Complex128 => cast_elements::<$s, Complex<f64>>,
            other => bail!("no number becomes {other}"),
        }
    };
}

fn conversion(src: DType, dst: DType) -> Result<Conversion> {
    Ok(match src {
        DType::Bool => to!(dst, bool),
        DType::Int8 => to!(dst, i8),
        DType::Int16 => to!(dst, i16),
        DType::Int32 => to!(dst, i32),
        DType::Int64 => to!(dst, i64),
        DType::UInt8 => to!(dst, u8),
        DType::UInt16 => to!(dst, u16),
        DType::UInt32 => to!(dst, u32),
        DType::UInt64 => to!(dst, u64),
        DType::Half => to!(dst, f16),
        DType::BFloat16 => to!(dst, bf16),
        DType::Float => to!(dst, f32),
        DType::Double => to!(dst, f64),
        DType::Complex64 => to!(dst, Complex<f32>),
        DType::Complex128 => to!(dst, Complex<f64>),
        other => bail!("{other} becomes no number"),
    })
}

/// `x` as numbers of a plain dtype: the same memory where it has that dtype.
pub(super) fn converted(x: Tensor, dst: DType, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    if x.dtype() == dst {
        return Ok(x);
    }
    let mut y = env.allocate(dst, x.shape().clone())?;
    conversion(x.dtype(), dst)?(env.env(), &x, &mut y, truncate)?;
    Ok(y)
}
