//! Candidate sampling: classes drawn to train with in the place of all, and how often each is expected among them.
//!
//! `true_classes` is [batch, num_true], of classes from 0 to the number of classes less 1. The outputs are
//! `num_sampled` classes, and for the true ones and for those the number of times that a draw of so many is expected to
//! hold them. With `unique`, classes that were drawn already are drawn again, and the expectation is the probability
//! that as many draws as it took hold the class, `1 - (1 - p)^draws`. TensorFlow's classes for the same seeds.

use oplink::prelude::*;

use super::shapes;

/// Every class with the same probability.
#[op("UniformCandidateSampler", is(random),
     input = "true_classes: int64",
     output = "sampled_candidates: int64",
     output = "true_expected_count: float",
     output = "sampled_expected_count: float",
     attr = "num_true: int >= 1",
     attr = "num_sampled: int >= 1",
     attr = "unique: bool",
     attr = "range_max: int >= 1",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     stateful,
     shape = shapes::candidate_sampler)]
pub struct UniformCandidateSampler;

/// The class `k` with the probability `log((k + 2) / (k + 1)) / log(range_max + 1)`: as of words by falling frequency.
#[op("LogUniformCandidateSampler", is(random),
     input = "true_classes: int64",
     output = "sampled_candidates: int64",
     output = "true_expected_count: float",
     output = "sampled_expected_count: float",
     attr = "num_true: int >= 1",
     attr = "num_sampled: int >= 1",
     attr = "unique: bool",
     attr = "range_max: int >= 1",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     stateful,
     shape = shapes::candidate_sampler)]
pub struct LogUniformCandidateSampler;

/// Classes in proportion to 1 more than the times that the node has seen them among true ones.
#[op("LearnedUnigramCandidateSampler", is(random),
     input = "true_classes: int64",
     output = "sampled_candidates: int64",
     output = "true_expected_count: float",
     output = "sampled_expected_count: float",
     attr = "num_true: int >= 1",
     attr = "num_sampled: int >= 1",
     attr = "unique: bool",
     attr = "range_max: int >= 1",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     stateful,
     shape = shapes::candidate_sampler)]
pub struct LearnedUnigramCandidateSampler;

/// As [`LearnedUnigramCandidateSampler`]; here several threads may run it too.
#[op("ThreadUnsafeUnigramCandidateSampler", is(random),
     input = "true_classes: int64",
     output = "sampled_candidates: int64",
     output = "true_expected_count: float",
     output = "sampled_expected_count: float",
     attr = "num_true: int >= 1",
     attr = "num_sampled: int >= 1",
     attr = "unique: bool",
     attr = "range_max: int >= 1",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     stateful,
     shape = shapes::candidate_sampler)]
pub struct ThreadUnsafeUnigramCandidateSampler;

/// Classes in proportion to the power `distortion` of given weights.
///
/// The weights are those of `unigrams`, or the last fields of the lines of the file `vocab_file`, divided by commas;
/// they follow after `num_reserved_ids` classes of weight 0. Of `num_shards` shards, `shard` keeps every class whose
/// number leaves that remainder. As many are kept as `range_max` says.
#[op("FixedUnigramCandidateSampler", is(random),
     input = "true_classes: int64",
     output = "sampled_candidates: int64",
     output = "true_expected_count: float",
     output = "sampled_expected_count: float",
     attr = "num_true: int >= 1",
     attr = "num_sampled: int >= 1",
     attr = "unique: bool",
     attr = "range_max: int >= 1",
     attr = "vocab_file: string = ''",
     attr = "distortion: float = 1",
     attr = "num_reserved_ids: int = 0",
     attr = "num_shards: int >= 1 = 1",
     attr = "shard: int >= 0 = 0",
     attr = "unigrams: list(float) = []",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     stateful,
     shape = shapes::candidate_sampler)]
pub struct FixedUnigramCandidateSampler;

/// All classes, `num_sampled` of them, in their order.
#[op("AllCandidateSampler", is(random),
     input = "true_classes: int64",
     output = "sampled_candidates: int64",
     output = "true_expected_count: float",
     output = "sampled_expected_count: float",
     attr = "num_true: int >= 1",
     attr = "num_sampled: int >= 1",
     attr = "unique: bool",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     stateful,
     shape = shapes::candidate_sampler)]
pub struct AllCandidateSampler;

/// Where sampled candidates are true classes: for each such pair, in the order of `true_classes`, the row, the last
/// position of the class among the candidates, and the weight `-f32::MAX`.
#[op("ComputeAccidentalHits",
     input = "true_classes: int64",
     input = "sampled_candidates: int64",
     output = "indices: int32",
     output = "ids: int64",
     output = "weights: float",
     attr = "num_true: int",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     shape = shapes::accidental_hits)]
pub struct ComputeAccidentalHits;
