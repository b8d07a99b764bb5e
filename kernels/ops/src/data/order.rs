//! Datasets of the elements of others, in order: repeated, cut, joined.

use oplink::prelude::*;

/// The elements of a dataset `count` times over, without end where that is negative.
#[op("RepeatDataset",
     input = "input_dataset: variant",
     input = "count: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct RepeatDataset;

/// The first `count` elements of a dataset, all where that is negative.
#[op("TakeDataset",
     input = "input_dataset: variant",
     input = "count: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct TakeDataset;

/// The elements of a dataset after the first `count`, none where that is negative.
#[op("SkipDataset",
     input = "input_dataset: variant",
     input = "count: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct SkipDataset;

/// The elements of a dataset, then those of another with the same dtypes.
#[op("ConcatenateDataset",
     input = "input_dataset: variant",
     input = "another_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ConcatenateDataset;

/// The elements of several datasets side by side: each has the components of one element of each, until the first of
/// them ends.
#[op("ZipDataset",
     input = "input_datasets: N * variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "N: int >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ZipDataset;

/// Every `num_shards`-th element of a dataset, from that at `index` on. With `require_non_empty` the first element is
/// an error where the dataset has fewer elements than shards.
#[op("ShardDataset",
     input = "input_dataset: variant",
     input = "num_shards: int64",
     input = "index: int64",
     output = "handle: variant",
     attr = "require_non_empty: bool = false",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ShardDataset;

/// Elements of datasets that are the same but for how fast they come: those of the first.
#[op("ChooseFastestDataset",
     input = "input_datasets: N * variant",
     output = "handle: variant",
     attr = "N: int >= 2",
     attr = "num_experiments: int",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ChooseFastestDataset;

/// What several functions make of a dataset, all the same but for how fast it comes: that of the first. A function
/// takes the dataset and its share of `other_arguments`. `ratio_numerator` elements become `ratio_denominator`, of
/// which `num_elements_per_branch` is a multiple.
#[op("ChooseFastestBranchDataset",
     input = "input_dataset: variant",
     input = "ratio_numerator: int64",
     input = "ratio_denominator: int64",
     input = "other_arguments: Targuments",
     output = "handle: variant",
     attr = "Targuments: list(type) >= 0",
     attr = "num_elements_per_branch: int >= 1",
     attr = "branches: list(func) >= 1",
     attr = "other_arguments_lengths: list(int) >= 1",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ChooseFastestBranchDataset;

/// The part of a dataset that worker `index` of `num_workers` reads. `auto_shard_policy` says what is divided: 2 the
/// elements, as [`ShardDataset`] with `require_non_empty` does, 1 the files, 0 the files where there are some and else
/// the elements, -1 and 3 nothing. Pipelines over files, and those with functions that make datasets, are only divided
/// by elements.
#[op("AutoShardDataset",
     input = "input_dataset: variant",
     input = "num_workers: int64",
     input = "index: int64",
     output = "handle: variant",
     attr = "auto_shard_policy: int = 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "num_replicas: int = 0",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AutoShardDataset;
