//! Functions of one tensor.

mod acos;
mod acosh;
mod asin;
mod asinh;
mod atan;
mod atanh;
mod cos;
mod cosh;
mod exp;
mod expm1;
mod inv;
mod log;
mod log1p;
mod neg;
mod reciprocal;
mod rsqrt;
mod sigmoid;
mod sign;
mod sin;
mod sinh;
mod sqrt;
mod tan;
mod tanh;

pub use neg::*;
