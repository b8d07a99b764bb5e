//! Every built-in op, declared once: its inputs, outputs and attrs, its shape function, what it is, and the geometry
//! that its kernels on every device share.
//!
//! A module and a Cargo feature for each family. The crate knows no kernel and no device; kernels, gradients, passes
//! and tools read it. `oplink_ops::Relu` is the op's type, with its eager calls (`Relu::call(&x)`), and
//! `oplink_ops::relu` the function that adds a node to a graph.
#![forbid(unsafe_code)]

pub mod arguments;
pub mod attrs;
pub mod dense_shape;
pub mod movement;
pub mod philox;
pub mod reduced_axes;

#[cfg(feature = "array")]
pub mod array;
#[cfg(feature = "control_flow")]
pub mod control_flow;
#[cfg(feature = "data")]
pub mod data;
#[cfg(feature = "decomposition")]
pub mod decomposition;
#[cfg(feature = "image")]
pub mod image;
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
#[cfg(feature = "sparse")]
pub mod sparse;
#[cfg(feature = "state")]
pub mod state;
#[cfg(feature = "string")]
pub mod string;
#[cfg(feature = "training")]
pub mod training;

pub use attrs::*;

#[cfg(feature = "array")]
pub use array::*;
#[cfg(feature = "control_flow")]
pub use control_flow::*;
#[cfg(feature = "data")]
pub use data::*;
#[cfg(feature = "decomposition")]
pub use decomposition::*;
#[cfg(feature = "image")]
pub use image::*;
#[cfg(feature = "io")]
pub use io::*;
#[cfg(feature = "linalg")]
pub use linalg::*;
#[cfg(feature = "math")]
pub use math::*;
#[cfg(feature = "nn")]
pub use nn::*;
#[cfg(feature = "random")]
pub use random::*;
#[cfg(feature = "reduction")]
pub use reduction::*;
#[cfg(feature = "signal")]
pub use signal::*;
#[cfg(feature = "sparse")]
pub use sparse::*;
#[cfg(feature = "state")]
pub use state::*;
#[cfg(feature = "string")]
pub use string::*;
#[cfg(feature = "training")]
pub use training::*;

/// Ops that each family declares; `cargo xtask anchors` writes the numbers.
const FAMILIES: [(&str, usize, usize); 16] = [
    ("array", 134, 0),
    ("control_flow", 27, 0),
    ("data", 192, 0),
    ("decomposition", 30, 0),
    ("image", 47, 0),
    ("io", 17, 0),
    ("linalg", 8, 0),
    ("math", 121, 0),
    ("nn", 154, 0),
    ("random", 52, 0),
    ("reduction", 37, 0),
    ("signal", 17, 0),
    ("sparse", 40, 0),
    ("state", 273, 0),
    ("string", 76, 0),
    ("training", 60, 0),
];

/// Whether each family is in this build.
const ENABLED: [bool; 16] = [
    cfg!(feature = "array"),
    cfg!(feature = "control_flow"),
    cfg!(feature = "data"),
    cfg!(feature = "decomposition"),
    cfg!(feature = "image"),
    cfg!(feature = "io"),
    cfg!(feature = "linalg"),
    cfg!(feature = "math"),
    cfg!(feature = "nn"),
    cfg!(feature = "random"),
    cfg!(feature = "reduction"),
    cfg!(feature = "signal"),
    cfg!(feature = "sparse"),
    cfg!(feature = "state"),
    cfg!(feature = "string"),
    cfg!(feature = "training"),
];

/// Ops of this build.
const DECLARED: (usize, usize) = oplink::__private::declared(&FAMILIES, &ENABLED);

oplink::anchor!(ops = DECLARED.0, kernels = DECLARED.1);
