//! `RandomPoisson`, `RandomPoissonV2`, `StatelessRandomPoisson`: numbers of Poisson distributions.
//!
//! The ops with attrs for seeds have the output shape `shape + rate.shape`; that of the stateless op is `shape`, which
//! must end in the shape of `lam`. Below a rate of 10 uniform numbers are multiplied until the product is at most
//! `exp(-rate)` (Knuth, "Seminumerical algorithms", 3.4.1); otherwise the method is transformed rejection (Hörmann,
//! "The transformed rejection method for generating Poisson random variables", 1993). Computed in double precision for
//! every dtype; TensorFlow's numbers. A negative rate gives 0, a rate that is NaN gives NaN or the smallest integer,
//! one beyond what the dtype holds its largest number.

use oplink::prelude::*;

/// Random numbers of Poisson distributions, from the sequence of the node.
#[op("RandomPoissonV2", is(random),
     input = "shape: S",
     input = "rate: R",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "S: {int32, int64}",
     attr = "R: {half, float, double, int32, int64} = DT_DOUBLE",
     attr = "dtype: {half, float, double, int32, int64} = DT_INT64",
     stateful,
     shape = shape_fns::random_gamma)]
pub struct RandomPoissonV2;

/// As [`RandomPoissonV2`], with rates of the output's dtype.
#[op("RandomPoisson", is(random),
     input = "shape: S",
     input = "rate: dtype",
     output = "output: dtype",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "S: {int32, int64}",
     attr = "dtype: {half, float, double}",
     stateful,
     deprecated(since = 25, note = "Replaced by RandomPoissonV2"),
     shape = shape_fns::random_gamma)]
pub struct RandomPoisson;

/// Random numbers of Poisson distributions, a function of the inputs.
#[op("StatelessRandomPoisson", is(random),
     no_gradient,
     input = "shape: T",
     input = "seed: Tseed",
     input = "lam: Rtype",
     output = "output: dtype",
     attr = "Rtype: {half, float, double, int32, int64}",
     attr = "dtype: {half, float, double, int32, int64}",
     attr = "T: {int32, int64}",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomPoisson;
