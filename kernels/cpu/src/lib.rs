//! CPU kernels: one folder a family (also a Cargo feature), one op a file.
//!
//! The crate is linked with `link!(oplink_kernels_cpu)` and contributes its ops and kernels to the registry;
//! nothing else of it is public. Every op is declared beside its kernel, so that one file says all there is to an op.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod support;

#[cfg(any(feature = "linalg", feature = "nn"))]
mod numeric;

#[cfg(feature = "array")]
pub mod array;
#[cfg(feature = "linalg")]
pub mod linalg;
#[cfg(feature = "math")]
pub mod math;
#[cfg(feature = "nn")]
pub mod nn;
#[cfg(feature = "reduction")]
pub mod reduction;

/// Every op's type, with its eager calls, and graph function, whatever its family.
pub mod ops {
    #[cfg(feature = "array")]
    pub use crate::array::*;
    #[cfg(feature = "linalg")]
    pub use crate::linalg::*;
    #[cfg(feature = "math")]
    pub use crate::math::{
        binary::*, bitwise::*, choice::*, comparison::*, complex::*, conversion::*, gradient::*, logical::*, sum::*,
        unary::*,
    };
    #[cfg(feature = "nn")]
    pub use crate::nn::*;
    #[cfg(feature = "reduction")]
    pub use crate::reduction::*;
}

/// Ops and kernels that the sources of each family declare; `cargo xtask anchors` writes the numbers.
const FAMILIES: [(&str, usize, usize); 5] =
    [("array", 53, 53), ("linalg", 3, 3), ("math", 92, 142), ("nn", 24, 24), ("reduction", 14, 14)];

/// Whether each family is in this build.
const ENABLED: [bool; 5] = [
    cfg!(feature = "array"),
    cfg!(feature = "linalg"),
    cfg!(feature = "math"),
    cfg!(feature = "nn"),
    cfg!(feature = "reduction"),
];

/// Ops and kernels of this build.
const fn declared() -> (usize, usize) {
    let (mut ops, mut kernels, mut at) = (0, 0, 0);
    while at < FAMILIES.len() {
        if ENABLED[at] {
            ops += FAMILIES[at].1;
            kernels += FAMILIES[at].2;
        }
        at += 1;
    }
    (ops, kernels)
}

oplink::anchor!(ops = declared().0, kernels = declared().1);
