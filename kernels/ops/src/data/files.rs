//! Datasets of the records of files.

use oplink::prelude::*;

/// The lines of files, without their ends. `compression_type` is empty, `ZLIB` or `GZIP`.
#[op("TextLineDataset",
     input = "filenames: string",
     input = "compression_type: string",
     input = "buffer_size: int64",
     output = "handle: variant",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct TextLineDataset;

/// The records of files that `TFRecordWriter` writes. `compression_type` is empty, `ZLIB`, `GZIP` or `SNAPPY`.
#[op("TFRecordDataset",
     input = "filenames: string",
     input = "compression_type: string",
     input = "buffer_size: int64",
     output = "handle: variant",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct TFRecordDataset;

/// As [`TFRecordDataset`], of each file from its `byte_offsets` on, where these are given.
#[op("TFRecordDatasetV2",
     input = "filenames: string",
     input = "compression_type: string",
     input = "buffer_size: int64",
     input = "byte_offsets: int64",
     output = "handle: variant",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct TFRecordDatasetV2;

/// Records of `record_bytes` of files, without `header_bytes` before and `footer_bytes` after them.
#[op("FixedLengthRecordDataset",
     input = "filenames: string",
     input = "header_bytes: int64",
     input = "record_bytes: int64",
     input = "footer_bytes: int64",
     input = "buffer_size: int64",
     output = "handle: variant",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct FixedLengthRecordDataset;

/// As [`FixedLengthRecordDataset`]. `compression_type` is empty, `ZLIB` or `GZIP`.
#[op("FixedLengthRecordDatasetV2",
     input = "filenames: string",
     input = "header_bytes: int64",
     input = "record_bytes: int64",
     input = "footer_bytes: int64",
     input = "buffer_size: int64",
     input = "compression_type: string",
     output = "handle: variant",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct FixedLengthRecordDatasetV2;

/// The records of files of comma-separated values (RFC 4180), a component a column. Columns with an empty default must
/// have values. `select_cols` are the columns read, all where it is empty.
#[op("CSVDataset",
     input = "filenames: string",
     input = "compression_type: string",
     input = "buffer_size: int64",
     input = "header: bool",
     input = "field_delim: string",
     input = "use_quote_delim: bool",
     input = "na_value: string",
     input = "select_cols: int64",
     input = "record_defaults: output_types",
     output = "handle: variant",
     attr = "output_types: list({float32, float64, int32, int64, string}) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct CSVDataset;

/// As [`CSVDataset`], without the columns `exclude_cols`, where these are given.
#[op("CSVDatasetV2",
     input = "filenames: string",
     input = "compression_type: string",
     input = "buffer_size: int64",
     input = "header: bool",
     input = "field_delim: string",
     input = "use_quote_delim: bool",
     input = "na_value: string",
     input = "select_cols: int64",
     input = "record_defaults: output_types",
     input = "exclude_cols: int64",
     output = "handle: variant",
     attr = "output_types: list({float32, float64, int32, int64, string}) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct CSVDatasetV2;

/// The names of the files that patterns match, those of each pattern in order; folders are left out. `*` stands for any
/// characters, `?` for one, `[a-z]` for one of some, none of them for a `/`. A backslash is a `/`, as Windows has it,
/// in names of the files too. It is an error where no pattern matches, or where the folder before a pattern's first
/// special character does not exist.
#[op("MatchingFilesDataset",
     input = "patterns: string",
     output = "handle: variant",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MatchingFilesDataset;

/// Writes the elements of a dataset, strings, to a file of records, as [`TFRecordDataset`] reads them.
/// `compression_type` is empty, `ZLIB`, `GZIP` or `SNAPPY`. Where an element fails the file has those before it.
#[op("DatasetToTFRecord",
     input = "input_dataset: variant",
     input = "filename: string",
     input = "compression_type: string",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct DatasetToTFRecord;

/// Once the entries of LMDB databases, which TensorFlow no longer reads: every call is `Unimplemented`. Write the
/// entries to files of records, and read those with [`TFRecordDataset`].
#[op("LMDBDataset",
     input = "filenames: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     unused_attr = "output_shapes",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct LMDBDataset;
