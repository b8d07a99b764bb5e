//! `StatelessRandomBinomial`, `StatefulRandomBinomial`: numbers of binomial distributions.
//!
//! The output has the shape that the vector `shape` holds, which must end in the shape that `counts` and `probs`
//! broadcast to. Where the expected number of the rarer outcome is below 10, gaps between such outcomes are drawn and
//! added up; otherwise the method is transformed rejection (Hörmann, "The generation of binomial random variates",
//! 1993). Computed in double precision; TensorFlow's numbers. A probability outside of `[0, 1]` is taken for the nearer
//! end; a parameter that is NaN gives NaN, or the smallest integer.

use oplink::prelude::*;

use super::shapes;

/// Random numbers of binomial distributions, a function of the inputs.
#[op("StatelessRandomBinomial", is(random),
     no_gradient,
     input = "shape: S",
     input = "seed: Tseed",
     input = "counts: T",
     input = "probs: T",
     output = "output: dtype",
     attr = "S: {int32, int64}",
     attr = "Tseed: {int32, int64} = DT_INT64",
     attr = "T: {half, float, double, int32, int64} = DT_DOUBLE",
     attr = "dtype: {half, float, double, int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomBinomial;

/// Random numbers of binomial distributions, from the position in a variable.
#[op("StatefulRandomBinomial", is(random),
     input = "resource: resource",
     input = "algorithm: int64",
     input = "shape: S",
     input = "counts: T",
     input = "probs: T",
     output = "output: dtype",
     attr = "S: {int32, int64}",
     attr = "T: {half, float, double, int32, int64} = DT_DOUBLE",
     attr = "dtype: {half, float, double, int32, int64} = DT_INT64",
     stateful,
     shape = shapes::stateful)]
pub struct StatefulRandomBinomial;
