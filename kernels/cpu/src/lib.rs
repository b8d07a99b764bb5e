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
#[cfg(feature = "control_flow")]
pub mod control_flow;
#[cfg(feature = "io")]
pub mod io;
#[cfg(feature = "linalg")]
pub mod linalg;
#[cfg(feature = "math")]
pub mod math;
#[cfg(feature = "nn")]
pub mod nn;
#[cfg(feature = "random")]
pub mod random;
#[cfg(feature = "reduction")]
pub mod reduction;
#[cfg(feature = "signal")]
pub mod signal;
#[cfg(feature = "state")]
pub mod state;
#[cfg(feature = "string")]
pub mod string;
#[cfg(feature = "training")]
pub mod training;

/// Every op's type, with its eager calls, and graph function, whatever its family.
pub mod ops {
    #[cfg(feature = "array")]
    pub use crate::array::*;
    #[cfg(feature = "control_flow")]
    pub use crate::control_flow::*;
    #[cfg(feature = "io")]
    pub use crate::io::*;
    #[cfg(feature = "linalg")]
    pub use crate::linalg::*;
    #[cfg(feature = "math")]
    pub use crate::math::{
        binary::*, bitwise::*, choice::*, comparison::*, complex::*, conversion::*, fused::fused_elementwise::*,
        gradient::*, logical::*, special::*, sum::*, unary::*,
    };
    #[cfg(feature = "nn")]
    pub use crate::nn::*;
    #[cfg(feature = "random")]
    pub use crate::random::*;
    #[cfg(feature = "reduction")]
    pub use crate::reduction::*;
    #[cfg(feature = "signal")]
    pub use crate::signal::*;
    #[cfg(feature = "state")]
    pub use crate::state::*;
    #[cfg(feature = "string")]
    pub use crate::string::*;
    #[cfg(feature = "training")]
    pub use crate::training::*;
}

/// Ops and kernels that the sources of each family declare; `cargo xtask anchors` writes the numbers.
const FAMILIES: [(&str, usize, usize); 12] = [
    ("array", 102, 106),
    ("control_flow", 24, 12),
    ("io", 12, 12),
    ("linalg", 6, 9),
    ("math", 104, 162),
    ("nn", 68, 69),
    ("random", 21, 21),
    ("reduction", 27, 27),
    ("signal", 12, 12),
    ("state", 135, 137),
    ("string", 33, 33),
    ("training", 57, 57),
];

/// Whether each family is in this build.
const ENABLED: [bool; 12] = [
    cfg!(feature = "array"),
    cfg!(feature = "control_flow"),
    cfg!(feature = "io"),
    cfg!(feature = "linalg"),
    cfg!(feature = "math"),
    cfg!(feature = "nn"),
    cfg!(feature = "random"),
    cfg!(feature = "reduction"),
    cfg!(feature = "signal"),
    cfg!(feature = "state"),
    cfg!(feature = "string"),
    cfg!(feature = "training"),
];

/// Ops and kernels of this build.
const DECLARED: (usize, usize) = oplink::__private::declared(&FAMILIES, &ENABLED);

oplink::anchor!(ops = DECLARED.0, kernels = DECLARED.1);
