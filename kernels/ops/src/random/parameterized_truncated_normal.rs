//! `ParameterizedTruncatedNormal`, `StatelessParameterizedTruncatedNormal`: numbers of normal distributions that are
//! cut at two bounds.
//!
//! Each distribution has a mean, a standard deviation above 0, and bounds of which the lower is less and one is finite.
//! The parameters of the op with attrs for seeds are scalars, or vectors of one element for each index of the output's
//! first axis; those of the stateless op broadcast to one shape, in which `shape` must end. Normal numbers that lie
//! outside are dropped where many lie inside; otherwise uniform numbers, or numbers of an exponential distribution,
//! are accepted with a probability (Robert, "Simulation of truncated normal variables", 1995). Arithmetic is that of
//! the dtype. The numbers are those that TensorFlow draws on one thread (on several, TensorFlow's depend on how it
//! shares them out). A distribution for which no number is accepted in 1000 attempts is an error.

use oplink::prelude::*;

use super::shapes;

/// Random numbers of cut normal distributions, from the sequence of the node.
#[op("ParameterizedTruncatedNormal", is(random),
     no_gradient,
     input = "shape: T",
     input = "means: dtype",
     input = "stdevs: dtype",
     input = "minvals: dtype",
     input = "maxvals: dtype",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "dtype: {half, bfloat16, float, double}",
     attr = "T: {int32, int64}",
     stateful,
     shape = shapes::parameterized_truncated_normal)]
pub struct ParameterizedTruncatedNormal;

/// Random numbers of cut normal distributions, a function of the inputs.
#[op("StatelessParameterizedTruncatedNormal", is(random),
     input = "shape: S",
     input = "seed: Tseed",
     input = "means: dtype",
     input = "stddevs: dtype",
     input = "minvals: dtype",
     input = "maxvals: dtype",
     output = "output: dtype",
     attr = "S: {int32, int64}",
     attr = "Tseed: {int32, int64} = DT_INT64",
     attr = "dtype: {half, float, double}",
     shape = shape_fns::stateless_random)]
pub struct StatelessParameterizedTruncatedNormal;
