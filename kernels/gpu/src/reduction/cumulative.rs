//! `Cumsum`, `Cumprod` and `CumulativeLogsumexp`. The 16-bit floats are joined in f32, integers wrap.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_ops::reduction::{Cumprod, Cumsum, CumulativeLogsumexp};

use super::scan::{Scanned, scan_programs};

scan_programs! {
    /// Running sums of floats up to 32 bits.
    SUMS: sums_of_lines, sums_of_tiles, total_sums
    for Float = [f32, f16, bf16] in f32, |_| DType::Float, 0.0_f32,
    load |value| value.to_f32(),
    join |a, b| a + b,
    finish |total| T::from_f32(total)
}

scan_programs! {
    /// Running products of floats up to 32 bits.
    PRODUCTS: products_of_lines, products_of_tiles, total_products
    for Float = [f32, f16, bf16] in f32, |_| DType::Float, 1.0_f32,
    load |value| value.to_f32(),
    join |a, b| a * b,
    finish |total| T::from_f32(total)
}

scan_programs! {
    /// Running sums of other numbers.
    WIDE_SUMS: wide_sums_of_lines, wide_sums_of_tiles, wide_total_sums
    for Number = [f64, i32, i64] in T, |dtype| dtype, T::zero(),
    load |value| value,
    join |a, b| a + b,
    finish |total| total
}

scan_programs! {
    /// Running products of other numbers.
    WIDE_PRODUCTS: wide_products_of_lines, wide_products_of_tiles, wide_total_products
    for Number = [f64, i32, i64] in T, |dtype| dtype, T::one(),
    load |value| value,
    join |a, b| a * b,
    finish |total| total
}

scan_programs! {
    /// Running logarithms of sums of exponentials, in single precision.
    LOGSUMEXPS: logsumexps_of_lines, logsumexps_of_tiles, total_logsumexps
    for Float = [f32, f16, bf16] in f32, |_| DType::Float, f32::NEG_INFINITY,
    load |value| value.to_f32(),
    join |a, b| {
        let larger = a.max(b);
        let smaller = a.min(b);
        if a.is_nan() || b.is_nan() {
            a + b
        } else if larger.is_infinite() {
            larger
        } else {
            larger + (smaller - larger).exp().ln_1p()
        }
    },
    finish |total| T::from_f32(total)
}

scan_programs! {
    /// Running logarithms of sums of exponentials, in double precision.
    WIDE_LOGSUMEXPS: wide_logsumexps_of_lines, wide_logsumexps_of_tiles, wide_total_logsumexps
    for Float = [f64] in T, |dtype| dtype, T::neg_infinity(),
    load |value| value,
    join |a, b| {
        let larger = a.max(b);
        let smaller = a.min(b);
        if a.is_nan() || b.is_nan() {
            a + b
        } else if larger.is_infinite() {
            larger
        } else {
            larger + (smaller - larger).exp().ln_1p()
        }
    },
    finish |total| total
}

fn is_narrow(dtype: DType) -> bool {
    matches!(dtype, DType::Float | DType::Half | DType::BFloat16)
}

/// `Cumsum` of numbers.
#[kernel(Cumsum, device = GPU, T = [floats, i32, i64], Tidx = [i32, i64], host_memory = [axis])]
pub fn cumsum_gpu(
    x: &Tensor,
    axis: &Tensor,
    exclusive: bool,
    reverse: bool,
    out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let programs = if is_narrow(x.dtype()) { &SUMS } else { &WIDE_SUMS };
    Scanned { x, axis, exclusive, reverse, out, env }.run(programs)
}

/// `Cumprod` of numbers.
#[kernel(Cumprod, device = GPU, T = [floats, i32, i64], Tidx = [i32, i64], host_memory = [axis])]
pub fn cumprod_gpu(
    x: &Tensor,
    axis: &Tensor,
    exclusive: bool,
    reverse: bool,
    out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let programs = if is_narrow(x.dtype()) { &PRODUCTS } else { &WIDE_PRODUCTS };
    Scanned { x, axis, exclusive, reverse, out, env }.run(programs)
}

/// `CumulativeLogsumexp` of floats.
#[kernel(CumulativeLogsumexp, device = GPU, T = [floats], Tidx = [i32, i64], host_memory = [axis])]
pub fn cumulative_logsumexp_gpu(
    x: &Tensor,
    axis: &Tensor,
    exclusive: bool,
    reverse: bool,
    out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let programs = if is_narrow(x.dtype()) { &LOGSUMEXPS } else { &WIDE_LOGSUMEXPS };
    Scanned { x, axis, exclusive, reverse, out, env }.run(programs)
}
