//! The conversion of every pair of plain dtypes, found at run time: a loop for each pair of the types that are computed
//! in, and all else once for each of them.

use super::convert::{Convert, Truncate};
use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{BLOCK, Computed, GRAIN, store};
use oplink_cpu_support::parallel::for_each_chunk;

/// A type that every plain number converts to.
pub trait Target: Copy + Default {
    /// Writes the counterparts of the elements of `x` from `start` on, `dropped` low bits of their mantissa cleared
    /// first.
    ///
    /// # Errors
    /// The elements of `x` are no plain numbers, or not in host memory.
    fn write(x: &Tensor, start: usize, out: &mut [Self], dropped: u32) -> Result<()>;
}

macro_rules! targets {
    ($($target:ty)*) => {$(
        impl Target for $target {
            fn write(x: &Tensor, start: usize, out: &mut [Self], dropped: u32) -> Result<()> {
                targets!(x, start, out, dropped;
                    Bool bool, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32, UInt64 u64,
                    Float f32, Double f64, Complex64 Complex<f32>, Complex128 Complex<f64>);
                Ok(())
            }
        }
    )*};
    ($x:ident, $start:ident, $out:ident, $dropped:ident; $($dtype:ident $source:ty),*) => {
        match $x.dtype() {
            $(DType::$dtype => convert(&$x.as_slice::<$source>()?[$start..$start + $out.len()], $out, $dropped),)*
            DType::Half => widened::<f16, Self>($x.as_slice()?, $start, $out, $dropped),
            DType::BFloat16 => widened::<bf16, Self>($x.as_slice()?, $start, $out, $dropped),
            other => bail!("{other} becomes no number"),
        }
    };
}

targets!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Complex<f32> Complex<f64>);

fn convert<S: Convert<D> + Truncate, D>(x: &[S], out: &mut [D], dropped: u32) {
    for (y, &x) in out.iter_mut().zip(x) {
        *y = x.without_low_bits(dropped).convert();
    }
}

/// From 16-bit floats, by way of single precision.
fn widened<S: Computed<ComputeType = f32>, D>(x: &[S], start: usize, out: &mut [D], dropped: u32)
where
    f32: Convert<D>,
{
    let mut block = [0.0; BLOCK];
    for (x, out) in x[start..start + out.len()].chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let block = &mut block[..x.len()];
        S::widen(x, block);
        convert(block, out, dropped);
    }
}

/// Writes the elements of `x` to `y`, which has as many, rounded towards zero where `truncate`.
pub(super) fn convert_to<D: Computed<ComputeType: Target>>(
    env: &dyn KernelEnv,
    x: &Tensor,
    y: &mut Tensor,
    truncate: bool,
) -> Result<()> {
    let dropped = if truncate { dropped_bits(x.dtype(), D::DTYPE) } else { 0 };
    // What can fail depends on `x` alone, and fails here.
    D::ComputeType::write(x, 0, &mut [], dropped)?;
    for_each_chunk(env, y.as_mut_slice::<D>()?, GRAIN, 1, &|start, part| write_part(x, start, part, dropped));
    Ok(())
}

fn write_part<D: Computed<ComputeType: Target>>(x: &Tensor, start: usize, part: &mut [D], dropped: u32) {
    store(part, &mut |at, out| {
        let written = D::ComputeType::write(x, start + at, out, dropped);
        debug_assert!(written.is_ok(), "the elements of `x` were read before");
    });
}

/// Low bits of the source's mantissa that a truncating conversion clears first.
fn dropped_bits(source: DType, destination: DType) -> u32 {
    match (source, destination) {
        (DType::Double | DType::Complex128, DType::Float | DType::Complex64) => 29,
        (DType::Double | DType::Complex128, DType::Half) => 42,
        (DType::Float | DType::Complex64, DType::Half) => 13,
        (DType::Float, DType::BFloat16) => 16,
        _ => 0,
    }
}

/// `x` as numbers of a plain dtype: the same memory where it has that dtype.
pub(super) fn converted(x: Tensor, dst: DType, truncate: bool, env: Env<'_>) -> Result<Tensor> {
    if x.dtype() == dst {
        return Ok(x);
    }
    let mut y = env.allocate(dst, x.shape().clone())?;
    let convert = match dst {
        DType::Bool => convert_to::<bool>,
        DType::Int8 => convert_to::<i8>,
        DType::Int16 => convert_to::<i16>,
        DType::Int32 => convert_to::<i32>,
        DType::Int64 => convert_to::<i64>,
        DType::UInt8 => convert_to::<u8>,
        DType::UInt16 => convert_to::<u16>,
        DType::UInt32 => convert_to::<u32>,
        DType::UInt64 => convert_to::<u64>,
        DType::Half => convert_to::<f16>,
        DType::BFloat16 => convert_to::<bf16>,
        DType::Float => convert_to::<f32>,
        DType::Double => convert_to::<f64>,
        DType::Complex64 => convert_to::<Complex<f32>>,
        DType::Complex128 => convert_to::<Complex<f64>>,
        other => bail!("no number becomes {other}"),
    };
    convert(env.env(), &x, &mut y, truncate)?;
    Ok(y)
}
