//! `RecordInput`: records of files, shuffled.

use oplink::prelude::*;

/// The next `batch_size` records of the files that a pattern matches, in a random order.
///
/// `file_pattern` is one or several patterns between commas; files are of records (TFRecord), compressed as
/// `compression_type` tells (`GZIP`, `ZLIB` or empty). They are read again and again. Each time their order is drawn
/// anew, and turned by the part `file_shuffle_shift_ratio` of the list where that is in [0, 1). Records go into a
/// buffer of `file_buffer_size`, each to a random place. Before all records of the files are given none is given again.
///
/// The order follows `file_random_seed`. `file_parallelism` files are read side by side; where that is 1 and the
/// records fill less than half of the buffer, the order is TensorFlow's the first time that the files are read.
/// No matching file is an error, as is a file that cannot be read, and files without a record.
#[op("RecordInput",
     no_gradient,
     output = "records: string",
     attr = "file_pattern: string",
     attr = "file_random_seed: int = 301",
     attr = "file_shuffle_shift_ratio: float = 0.0",
     attr = "file_buffer_size: int = 10000",
     attr = "file_parallelism: int = 16",
     attr = "batch_size: int = 32",
     attr = "compression_type: string = ''",
     bytes(file_pattern),
     stateful,
     shape = shape_fns::unknown)]
pub struct RecordInput;
