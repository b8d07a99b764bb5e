//! `L2Loss`: half the sum of squares, a scalar.
//!
//! Summed pairwise in blocks, the 16-bit floats in f32.

use oplink::prelude::*;

/// Half the sum of the squares of `t`.
#[op("L2Loss",
     input = "t: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::scalar)]
pub struct L2Loss;
