//! Special functions of single numbers, in single precision, which GPUs have: series and rational functions of the
//! Cephes library (Moshier, 1984-1992), their coefficients rounded to that precision.
#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    clippy::manual_clamp,
    clippy::manual_range_contains,
    reason = "programs have literals and the operators of GPU languages; coefficients have nine digits"
)]

mod bessel;
mod bessel_oscillating;
mod bessel_second;
mod integrals;
mod normal;

/// Writes functions on the device, of polynomials with these coefficients, that of the highest power first.
macro_rules! polynomials {
    ($($(#[$doc:meta])* $name:ident: [$first:literal, $($coefficient:literal),* $(,)?];)*) => {$(
        $(#[$doc])*
        #[oplink::device_fn]
        fn $name(x: f32) -> f32 {
            let mut sum: f32 = $first;
            $(sum = sum * x + $coefficient;)*
            sum
        }
    )*};
}

/// Writes functions on the device, of sums of Chebyshev polynomials at `x / 2`, the last one halved.
macro_rules! chebyshev_series {
    ($($(#[$doc:meta])* $name:ident: [$first:literal, $($coefficient:literal),* $(,)?];)*) => {$(
        $(#[$doc])*
        #[oplink::device_fn]
        fn $name(x: f32) -> f32 {
            let mut sum: f32 = $first;
            let mut last: f32 = 0.0;
            $(
                let before = last;
                last = sum;
                sum = x * last + $coefficient - before;
            )*
            0.5 * (sum - before)
        }
    )*};
}

use {chebyshev_series, polynomials};
