//! Kernels for GPUs, a module and Cargo feature a family, a file an op or a group of alike ops. The ops are those of
//! `oplink-ops`.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "nn", feature = "reduction", feature = "state")),
    allow(dead_code, unused_imports, reason = "what families share serves builds with some of them")
)]

#[cfg(any(feature = "linalg", feature = "nn"))]
mod epilogue;
#[cfg(feature = "array")]
mod movement;
#[cfg(feature = "array")]
mod scatter;

#[cfg(feature = "array")]
pub mod array;
#[cfg(feature = "control_flow")]
pub mod control_flow;
#[cfg(feature = "image")]
pub mod image;
#[cfg(feature = "linalg")]
pub mod linalg;
#[cfg(feature = "math")]
pub mod math;
#[cfg(feature = "nn")]
pub mod nn;
#[cfg(feature = "random")]
pub mod random;
#[cfg(any(feature = "image", feature = "nn", feature = "reduction"))]
mod reduce;
#[cfg(feature = "reduction")]
pub mod reduction;
#[cfg(feature = "sparse")]
pub mod sparse;
#[cfg(feature = "state")]
pub mod state;
#[cfg(feature = "training")]
pub mod training;

#[cfg(any(feature = "math", feature = "nn"))]
oplink::link!(oplink_kernels_elementwise);

/// Ops and kernels that the sources of each family declare; `cargo xtask anchors` writes the numbers.
const FAMILIES: [(&str, usize, usize); 11] = [
    ("array", 0, 113),
    ("control_flow", 0, 0),
    ("image", 0, 12),
    ("linalg", 0, 9),
    ("math", 0, 79),
    ("nn", 0, 39),
    ("random", 0, 18),
    ("reduction", 0, 35),
    ("sparse", 0, 1),
    ("state", 0, 22),
    ("training", 0, 22),
];

/// Whether each family is in this build.
const ENABLED: [bool; 11] = [
    cfg!(feature = "array"),
    cfg!(feature = "control_flow"),
    cfg!(feature = "image"),
    cfg!(feature = "linalg"),
    cfg!(feature = "math"),
    cfg!(feature = "nn"),
    cfg!(feature = "random"),
    cfg!(feature = "reduction"),
    cfg!(feature = "sparse"),
    cfg!(feature = "state"),
    cfg!(feature = "training"),
];

/// Ops and kernels of this build.
const DECLARED: (usize, usize) = oplink::__private::declared(&FAMILIES, &ENABLED);

oplink::anchor!(ops = DECLARED.0, kernels = DECLARED.1);
