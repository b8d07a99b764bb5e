//! Random numbers whose position stands in a variable: `StatefulUniform`, `StatefulStandardNormalV2` and their like,
//! `RngSkip`, `RngReadAndSkip`; and `NonDeterministicInts`, which has no position.
//!
//! The variable is a vector of int64: a counter of two words, the lower first, and the key. `algorithm` is the scalar 1
//! (Philox) or 3 (chosen by the device, which is Philox). Each op draws from the position, and moves it on by 256
//! blocks for every number, `StatefulRandomBinomial` by 50 for every four. The numbers for a position are those that
//! the stateless ops of version 2 give for the same counter and key.

use oplink::prelude::*;

use super::shapes;

/// Random numbers in `[0, 1)`, from the position in a variable.
#[op("StatefulUniform", is(random),
     input = "resource: resource",
     input = "algorithm: int64",
     input = "shape: shape_dtype",
     output = "output: dtype",
     attr = "dtype: type = DT_FLOAT",
     attr = "shape_dtype: type = DT_INT64",
     stateful,
     shape = shapes::stateful)]
pub struct StatefulUniform;

/// Random numbers of the standard normal distribution within 2 of the mean, from the position in a variable.
#[op("StatefulTruncatedNormal", is(random),
     input = "resource: resource",
     input = "algorithm: int64",
     input = "shape: shape_dtype",
     output = "output: dtype",
     attr = "dtype: type = DT_FLOAT",
     attr = "shape_dtype: type = DT_INT64",
     stateful,
     shape = shapes::stateful)]
pub struct StatefulTruncatedNormal;

/// Random numbers of the standard normal distribution, from the position in a variable.
#[op("StatefulStandardNormalV2", is(random),
     input = "resource: resource",
     input = "algorithm: int64",
     input = "shape: shape_dtype",
     output = "output: dtype",
     attr = "dtype: type = DT_FLOAT",
     attr = "shape_dtype: type = DT_INT64",
     stateful,
     shape = shapes::stateful)]
pub struct StatefulStandardNormalV2;

/// As [`StatefulStandardNormalV2`], with the algorithm in the first element of the variable.
#[op("StatefulStandardNormal", is(random),
     input = "resource: resource",
     input = "shape: shape_dtype",
     output = "output: dtype",
     attr = "dtype: type = DT_FLOAT",
     attr = "shape_dtype: type = DT_INT64",
     stateful,
     deprecated(since = 29, note = "Use StatefulStandardNormalV2 instead"),
     shape = shapes::stateful_without_algorithm)]
pub struct StatefulStandardNormal;

/// Random integers of every value, from the position in a variable.
#[op("StatefulUniformFullInt", is(random),
     input = "resource: resource",
     input = "algorithm: int64",
     input = "shape: shape_dtype",
     output = "output: dtype",
     attr = "dtype: type = DT_UINT64",
     attr = "shape_dtype: type = DT_INT64",
     stateful,
     shape = shapes::stateful)]
pub struct StatefulUniformFullInt;

/// Random integers in `[minval, maxval)`, from the position in a variable. An empty range is an error even where there
/// is no number to draw.
#[op("StatefulUniformInt", is(random),
     input = "resource: resource",
     input = "algorithm: int64",
     input = "shape: shape_dtype",
     input = "minval: dtype",
     input = "maxval: dtype",
     output = "output: dtype",
     attr = "dtype: type = DT_INT64",
     attr = "shape_dtype: type = DT_INT64",
     stateful,
     shape = shapes::stateful_uniform_int)]
pub struct StatefulUniformInt;

/// Moves the position in a variable on, as if `delta` numbers were drawn. A negative `delta` is taken modulo 2^64.
#[op("RngSkip",
     input = "resource: resource",
     input = "algorithm: int64",
     input = "delta: int64",
     stateful,
     shape = shapes::rng_skip)]
pub struct RngSkip;

/// The counter and the key in a variable, as they were before the position was moved on as by [`RngSkip`].
#[op("RngReadAndSkip",
     input = "resource: resource",
     input = "alg: int32",
     input = "delta: uint64",
     output = "value: int64",
     stateful,
     shape = shapes::rng_read_and_skip)]
pub struct RngReadAndSkip;

/// Integers of every value that nobody can foretell.
#[op("NonDeterministicInts", is(random),
     input = "shape: shape_dtype",
     output = "output: dtype",
     attr = "dtype: type = DT_INT64",
     attr = "shape_dtype: type = DT_INT64",
     stateful,
     shape = shape_fns::random)]
pub struct NonDeterministicInts;
