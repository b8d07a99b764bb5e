//! First centres of clusters, drawn from points: TensorFlow's for the same seeds.

use oplink::prelude::*;

/// Rows of the matrix `points`, `num_to_sample` of them, as k-means++ draws them.
///
/// The first one is any, each next one is drawn in proportion to the squared distances of the points from the nearest
/// row that was drawn, and never twice (Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding",
/// 2007). Each time `num_retries_per_sample` more are drawn, and the one is kept that makes the sum of those distances
/// the least; a negative number stands for 2 and the natural logarithm of `num_to_sample`. `seed` is any number. Where
/// all distances are 0, or their sum is no number, the last row is drawn, even again.
#[op("KmeansPlusPlusInitialization", is(random),
     input = "points: float32",
     input = "num_to_sample: int64",
     input = "seed: int64",
     input = "num_retries_per_sample: int64",
     output = "samples: float32",
     shape = shape_fns::unknown)]
pub struct KmeansPlusPlusInitialization;

/// The state of a Markov chain after it has seen all candidates, whose squared distances from the centres so far are
/// the vector `distances`: the position of the next centre.
///
/// The chain begins with the first candidate, and moves on to each next one with a probability of its distance by that
/// of the state, or 1 (Bachem et al., "Approximate k-means++ in sublinear time", 2016). `seed` is any number.
#[op("KMC2ChainInitialization", is(random),
     input = "distances: float32",
     input = "seed: int64",
     output = "index: int64",
     shape = shape_fns::scalar)]
pub struct KMC2ChainInitialization;
