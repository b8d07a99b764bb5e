//! Datasets that keep elements: shuffled, read ahead, cached; and what they share.

use oplink::prelude::*;

/// The elements in random order: each is drawn from `buffer_size` that are kept. Every iteration has an order of its
/// own, except without `reshuffle_each_iteration`. The order is TensorFlow's for the same seeds.
#[op("ShuffleDataset",
     input = "input_dataset: variant",
     input = "buffer_size: int64",
     input = "seed: int64",
     input = "seed2: int64",
     output = "handle: variant",
     attr = "reshuffle_each_iteration: bool = true",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ShuffleDataset;

/// As [`ShuffleDataset`], with the seeds of a generator.
#[op("ShuffleDatasetV2",
     input = "input_dataset: variant",
     input = "buffer_size: int64",
     input = "seed_generator: resource",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ShuffleDatasetV2;

/// As [`ShuffleDataset`], with a generator where there is one.
#[op("ShuffleDatasetV3",
     input = "input_dataset: variant",
     input = "buffer_size: int64",
     input = "seed: int64",
     input = "seed2: int64",
     input = "seed_generator: resource",
     output = "handle: variant",
     attr = "reshuffle_each_iteration: bool = true",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ShuffleDatasetV3;

/// All elements of a dataset in random order, of which none is kept: each is found by its position. So the dataset must
/// be one of inputs or of a range, or made of such by maps, batches without a remainder, joins and parts, and have
/// elements. An order has the seeds of [`ShuffleDatasetV3`].
#[op("GlobalShuffleDataset",
     input = "input_dataset: variant",
     input = "seed: int64",
     input = "seed2: int64",
     input = "seed_generator: resource",
     output = "handle: variant",
     attr = "reshuffle_each_iteration: bool = true",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct GlobalShuffleDataset;

/// As [`ShuffleDataset`], then repeated `count` times; the buffer is not emptied in between.
#[op("ShuffleAndRepeatDataset",
     input = "input_dataset: variant",
     input = "buffer_size: int64",
     input = "seed: int64",
     input = "seed2: int64",
     input = "count: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "reshuffle_each_iteration: bool = true",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ShuffleAndRepeatDataset;

/// As [`ShuffleAndRepeatDataset`], with a generator where there is one.
#[op("ShuffleAndRepeatDatasetV2",
     input = "input_dataset: variant",
     input = "buffer_size: int64",
     input = "seed: int64",
     input = "seed2: int64",
     input = "count: int64",
     input = "seed_generator: resource",
     output = "handle: variant",
     attr = "reshuffle_each_iteration: bool = true",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ShuffleAndRepeatDatasetV2;

/// The elements, of which `buffer_size` are read ahead by a thread of its own; -1 leaves the number to the dataset.
#[op("PrefetchDataset",
     input = "input_dataset: variant",
     input = "buffer_size: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "slack_period: int = 0",
     attr = "legacy_autotune: bool = true",
     attr = "buffer_size_min: int = 0",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct PrefetchDataset;

/// The elements, kept in memory by the first iteration that comes to their end.
#[op("CacheDataset",
     input = "input_dataset: variant",
     input = "filename: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct CacheDataset;

/// As [`CacheDataset`], kept in a cache.
#[op("CacheDatasetV2",
     input = "input_dataset: variant",
     input = "filename: string",
     input = "cache: resource",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct CacheDatasetV2;

/// Random numbers without end, int64 from 0 to below 2^32.
#[op("RandomDataset",
     input = "seed: int64",
     input = "seed2: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct RandomDataset;

/// As [`RandomDataset`]; with `rerandomize_each_iteration` every iteration has numbers of its own.
#[op("RandomDatasetV2",
     input = "seed: int64",
     input = "seed2: int64",
     input = "seed_generator: resource",
     output = "handle: variant",
     attr = "rerandomize_each_iteration: bool = false",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct RandomDatasetV2;

/// A handle that stands for no generator.
#[op("DummySeedGenerator",
     output = "handle: resource",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DummySeedGenerator;

/// A generator of the seeds of iterations: of random ones, or the same ones again without `reshuffle`.
#[op("AnonymousSeedGenerator",
     input = "seed: int64",
     input = "seed2: int64",
     input = "reshuffle: bool",
     output = "handle: resource",
     output = "deleter: variant",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousSeedGenerator;

/// Lets a generator go.
#[op("DeleteSeedGenerator",
     input = "handle: resource",
     input = "deleter: variant",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct DeleteSeedGenerator;

/// A generator of random seeds of iterations.
#[op("AnonymousRandomSeedGenerator",
     input = "seed: int64",
     input = "seed2: int64",
     output = "handle: resource",
     output = "deleter: variant",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousRandomSeedGenerator;

/// Lets a generator go.
#[op("DeleteRandomSeedGenerator",
     input = "handle: resource",
     input = "deleter: variant",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct DeleteRandomSeedGenerator;

/// A handle that stands for no cache.
#[op("DummyMemoryCache",
     output = "handle: resource",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DummyMemoryCache;

/// A cache of the elements of a dataset.
#[op("AnonymousMemoryCache",
     output = "handle: resource",
     output = "deleter: variant",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousMemoryCache;

/// Lets a cache go.
#[op("DeleteMemoryCache",
     input = "handle: resource",
     input = "deleter: variant",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct DeleteMemoryCache;
