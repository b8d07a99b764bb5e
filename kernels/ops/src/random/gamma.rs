//! `RandomGamma`, `StatelessRandomGammaV2`, `StatelessRandomGammaV3`: numbers of gamma distributions with scale 1.
//!
//! `alpha` holds the distributions' shape parameters. `RandomGamma` has the output shape `shape + alpha.shape`; that of
//! the stateless ops is `shape`, which must end in the shape of `alpha`. The method is that of Marsaglia and Tsang, "A
//! simple method for generating gamma variables" (2000): normal numbers are transformed and some rejected; for
//! `alpha < 1` a number for `alpha + 1` is multiplied by the power `1 / alpha` of a uniform one, and for `alpha = 1`
//! the exponential distribution is inverted. Computed in double precision for every dtype; TensorFlow's numbers, up to
//! the last places of the mathematical functions.

use oplink::prelude::*;

/// Random numbers of gamma distributions, from the sequence of the node.
#[op("RandomGamma", is(random),
     input = "shape: S",
     input = "alpha: T",
     output = "output: T",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "S: {int32, int64}",
     attr = "T: {half, float, double}",
     stateful,
     shape = shape_fns::random_gamma)]
pub struct RandomGamma;

/// Random numbers of gamma distributions, a function of the shape, the seed and the parameters.
#[op("StatelessRandomGammaV2", is(random),
     input = "shape: T",
     input = "seed: Tseed",
     input = "alpha: dtype",
     output = "output: dtype",
     attr = "dtype: {half, float, double}",
     attr = "T: {int32, int64}",
     attr = "Tseed: {int32, int64} = DT_INT64",
     shape = shape_fns::stateless_random)]
pub struct StatelessRandomGammaV2;

/// Random numbers of gamma distributions, a function of the shape, the key, the counter and the parameters.
#[op("StatelessRandomGammaV3", is(random),
     input = "shape: shape_dtype",
     input = "key: uint64",
     input = "counter: uint64",
     input = "alg: int32",
     input = "alpha: dtype",
     output = "output: dtype",
     attr = "dtype: {half, float, double}",
     attr = "shape_dtype: {int32, int64} = DT_INT32",
     shape = shape_fns::stateless_random_v2)]
pub struct StatelessRandomGammaV3;
