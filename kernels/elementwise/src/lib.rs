//! Formulas of the built-in elementwise ops: each is one annotated function of single values, from which come its loops
//! for each instruction set, and its part in chains of such ops.
//!
//! A file a kin, a feature a family. The crate is linked with `link!(oplink_kernels_elementwise)`.
#![forbid(unsafe_code)]

#[cfg(feature = "math")]
pub mod arithmetic;
#[cfg(feature = "math")]
pub mod bitwise;
#[cfg(feature = "math")]
pub mod cephes;
#[cfg(feature = "math")]
pub mod comparisons;
#[cfg(feature = "math")]
pub mod complex;
#[cfg(feature = "math")]
pub mod division;
#[cfg(feature = "math")]
pub mod exponential;
#[cfg(feature = "math")]
pub mod fused;
#[cfg(feature = "math")]
pub mod gradients;
#[cfg(feature = "math")]
pub mod integrals;
#[cfg(feature = "math")]
pub mod logical;
#[cfg(feature = "math")]
pub mod neighbours;
#[cfg(feature = "math")]
pub mod rounding;
#[cfg(feature = "math")]
pub mod shifts;
#[cfg(feature = "math")]
pub mod special;
#[cfg(feature = "math")]
pub mod trigonometric;

#[cfg(feature = "nn")]
pub mod activations;

/// Ops and kernels that the sources of each family declare: for processors, then for GPUs.
const FAMILIES: [(&str, usize, usize); 4] = [("math", 0, 155), ("nn", 0, 14), ("math", 0, 78), ("nn", 0, 14)];

/// Whether each of them is in this build.
const ENABLED: [bool; 4] = [
    cfg!(feature = "math"),
    cfg!(feature = "nn"),
    cfg!(all(feature = "math", feature = "gpu")),
    cfg!(all(feature = "nn", feature = "gpu")),
];

/// Ops and kernels of this build.
const DECLARED: (usize, usize) = oplink::__private::declared(&FAMILIES, &ENABLED);

oplink::anchor!(ops = DECLARED.0, kernels = DECLARED.1);
