//! Datasets in files: saved, loaded, and snapshots that the first iteration writes and later ones read.

use oplink::prelude::*;

/// `path` is a scalar; no outputs.
fn at_path(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(1, 0)?;
    Ok(())
}

/// The input at `INPUT` is a scalar, and so is the output.
fn scalar_at<const INPUT: usize>(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(INPUT, 0)?;
    shape_fns::scalar(context)
}

/// All inputs are scalars, and so is the output.
fn scalars(context: &mut ShapeContext<'_>) -> Result<()> {
    for input in 0..context.num_inputs() {
        context.with_rank(input, 0)?;
    }
    shape_fns::scalar(context)
}

/// Writes the elements of a dataset to the folder `path`, as [`LoadDataset`] reads them. `shard_func` gives the shard
/// of an element, an int64, of the components and `shard_func_other_args`; without `use_shard_func` all elements are in
/// one. `compression` is empty, `ZLIB`, `GZIP` or `SNAPPY`; other names stand for none.
#[op("SaveDataset",
     input = "input_dataset: variant",
     input = "path: string",
     input = "shard_func_other_args: Tshard_func_args",
     attr = "compression: string = ''",
     attr = "shard_func: func",
     attr = "use_shard_func: bool = true",
     attr = "Tshard_func_args: list(type) >= 0",
     stateful,
     no_gradient,
     shape = at_path)]
pub struct SaveDataset;

/// The elements, each written as [`SaveDataset`] does when it is given; all are there once the end was reached.
#[op("SaveDatasetV2",
     input = "input_dataset: variant",
     input = "path: string",
     input = "shard_func_other_args: Tshard_func_args",
     output = "handle: variant",
     attr = "compression: string = ''",
     attr = "shard_func: func",
     attr = "use_shard_func: bool = true",
     attr = "Tshard_func_args: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = scalar_at::<1>)]
pub struct SaveDatasetV2;

/// The elements that [`SaveDataset`] wrote to the folder `path`. `reader_func` takes a dataset whose elements are the
/// shards, each a dataset, and `reader_func_other_args`; it returns a dataset of the elements. `compression` is that
/// of the files. A folder without saved elements is `NotFound`.
#[op("LoadDataset",
     input = "path: string",
     input = "reader_func_other_args: Treader_func_args",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "compression: string = ''",
     attr = "reader_func: func",
     attr = "Treader_func_args: list(type) >= 0",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = scalar_at::<0>)]
pub struct LoadDataset;

/// The elements, which the first iteration writes to files, and from which later ones read them. The files of a
/// snapshot lie in the folder `custom-<snapshot_name>` of `path`; without a name in one that is named by the input's
/// [`DatasetFingerprint`](super::DatasetFingerprint), which is another one than TensorFlow's. `mode` is `auto`, `read`,
/// `write` or `passthrough`; `compression` is empty, `GZIP` or `SNAPPY`. A snapshot that was begun less than
/// `pending_snapshot_expiry_seconds` ago and has not ended is neither read nor written. A new file begins where one has
/// `shard_size_bytes`. With `shuffle_on_read` files are read in an order that `seed` and `seed2` give. What a `write`
/// finds in the files stays before its elements.
#[op("SnapshotDataset",
     input = "input_dataset: variant",
     input = "path: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "compression: string = ''",
     attr = "reader_path_prefix: string = ''",
     attr = "writer_path_prefix: string = ''",
     attr = "shard_size_bytes: int = 10737418240",
     attr = "pending_snapshot_expiry_seconds: int = 86400",
     attr = "num_reader_threads: int = 1",
     attr = "reader_buffer_size: int = 1",
     attr = "num_writer_threads: int = 1",
     attr = "writer_buffer_size: int = 1",
     attr = "shuffle_on_read: bool = false",
     attr = "seed: int = 0",
     attr = "seed2: int = 0",
     attr = "mode: string = 'auto'",
     attr = "snapshot_name: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = scalar_at::<1>)]
pub struct SnapshotDataset;

/// The elements, which the first iteration that comes to their end writes to files, and which later ones read. The
/// files of a snapshot lie in the folder of `path` that is named by `hash`, which identifies the pipeline; without
/// `hash_valid` by the input's [`DatasetFingerprint`](super::DatasetFingerprint), which is another one than
/// TensorFlow's. The folder is read behind `reader_prefix` and written behind `writer_prefix`.
/// `shard_func` gives the shard of an element as for [`SaveDataset`], `reader_func` the elements of the shards as for
/// [`LoadDataset`]. `compression` is empty, `ZLIB`, `GZIP`, `SNAPPY` or `AUTO`, which is `SNAPPY`.
#[op("SnapshotDatasetV2",
     input = "input_dataset: variant",
     input = "path: string",
     input = "reader_func_other_args: Treader_func_args",
     input = "shard_func_other_args: Tshard_func_args",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "compression: string = ''",
     attr = "reader_prefix: string = ''",
     attr = "writer_prefix: string = ''",
     attr = "hash_valid: bool = false",
     attr = "hash: int = 0",
     attr = "reader_func: func",
     attr = "shard_func: func",
     attr = "Treader_func_args: list(type) >= 0",
     attr = "Tshard_func_args: list(type) >= 0",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = scalar_at::<1>)]
pub struct SnapshotDatasetV2;

/// The elements in the files of a shard, the folder `shard_dir`, without the first `start_index`. `version` tells the
/// form of the files, 0 to 2. A shard with fewer elements than `start_index` is `OutOfRange`.
#[op("SnapshotDatasetReader",
     input = "shard_dir: string",
     input = "start_index: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "compression: string = ''",
     attr = "version: int",
     unused_attr = "output_types",
     no_gradient,
     shape = scalars)]
pub struct SnapshotDatasetReader;

/// A dataset whose elements are datasets, those of the inputs.
#[op("SnapshotNestedDatasetReader",
     input = "inputs: N * variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "N: int >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct SnapshotNestedDatasetReader;

/// The elements in one file of a snapshot that several workers write. `compression` is empty, `ZLIB`, `GZIP` or
/// `SNAPPY`; other names stand for none.
#[op("SnapshotChunkDataset",
     input = "chunk_file: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "compression: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = scalars)]
pub struct SnapshotChunkDataset;

/// The names of the files of a snapshot that several workers write to the folder `snapshot_path`, as they are written,
/// until all are there. Where a worker failed its error is that of the next element.
#[op("ListSnapshotChunksDataset",
     input = "snapshot_path: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = scalars)]
pub struct ListSnapshotChunksDataset;
