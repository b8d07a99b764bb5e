//! `FakeParam`: stands where a branch of a condition needs an output that only the other branch makes.
//!
//! Nobody may read its value.

use oplink::prelude::*;

/// A value of this dtype that is never read.
#[op("FakeParam", output = "output: dtype", attr = "dtype: type", attr = "shape: shape", shape = shape_fns::placeholder)]
pub struct FakeParam;
