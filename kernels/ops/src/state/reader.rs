//! Readers: records of the files whose names, the units of work, come out of a queue of strings.
//!
//! A reader reads one file after the other; where a file ends it takes the next name. The ops on readers are
//! [`ReaderReadV2`] and the others of that name. Nodes of one `container` and `shared_name` share a reader; without a
//! name a node has a reader of its own. Keys of records are scalars of string, as their values.

use super::handles;
use oplink::prelude::*;

/// A reader of files of records with checksums, which `TFRecordWriter` writes; the key is the file's name and where in
/// it the record begins. `compression_type` is empty, `ZLIB`, `GZIP` or `SNAPPY`. A file that ends within a record, or
/// whose checksums do not fit, is `DataLoss`.
#[op("TFRecordReaderV2",
     output = "reader_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "compression_type: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct TFRecordReaderV2;

/// As [`TFRecordReaderV2`], a reference.
#[op("TFRecordReader",
     output = "reader_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "compression_type: string = ''",
     deprecated(since = 26, note = "Use TFRecordReaderV2"),
     stateful,
     no_gradient,
     shape = handles::reference)]
pub struct TFRecordReader;

/// A reader of the lines of files, without their ends; the key is the file's name and the number of the line, from 1.
/// The first `skip_header_lines` of each file are left out.
#[op("TextLineReaderV2",
     output = "reader_handle: resource",
     attr = "skip_header_lines: int = 0",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct TextLineReaderV2;

/// As [`TextLineReaderV2`], a reference.
#[op("TextLineReader",
     output = "reader_handle: Ref(string)",
     attr = "skip_header_lines: int = 0",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     deprecated(since = 26, note = "Use TextLineReaderV2"),
     stateful,
     no_gradient,
     shape = handles::reference)]
pub struct TextLineReader;

/// A reader of records of `record_bytes`, which begin every `hop_bytes`, or one after the other where that is 0, after
/// the first `header_bytes` and before the last `footer_bytes` of each file; the key is the file's name and the number
/// of the record, from 0. `encoding` is empty, `ZLIB` or `GZIP`.
#[op("FixedLengthRecordReaderV2",
     output = "reader_handle: resource",
     attr = "header_bytes: int = 0",
     attr = "record_bytes: int",
     attr = "footer_bytes: int = 0",
     attr = "hop_bytes: int = 0",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "encoding: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct FixedLengthRecordReaderV2;

/// As [`FixedLengthRecordReaderV2`], a reference.
#[op("FixedLengthRecordReader",
     output = "reader_handle: Ref(string)",
     attr = "header_bytes: int = 0",
     attr = "record_bytes: int",
     attr = "footer_bytes: int = 0",
     attr = "hop_bytes: int = 0",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     deprecated(since = 26, note = "Use FixedLengthRecordReaderV2"),
     stateful,
     no_gradient,
     shape = handles::reference)]
pub struct FixedLengthRecordReader;

/// A reader of whole files; the key is the file's name.
#[op("WholeFileReaderV2",
     output = "reader_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct WholeFileReaderV2;

/// As [`WholeFileReaderV2`], a reference.
#[op("WholeFileReader",
     output = "reader_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     no_gradient,
     shape = handles::reference)]
pub struct WholeFileReader;

/// A reader that opens no file: key and value are the unit of work.
#[op("IdentityReaderV2",
     output = "reader_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct IdentityReaderV2;

/// As [`IdentityReaderV2`], a reference.
#[op("IdentityReader",
     output = "reader_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     deprecated(since = 26, note = "Use IdentityReaderV2"),
     stateful,
     no_gradient,
     shape = handles::reference)]
pub struct IdentityReader;

/// Once a reader of the entries of LMDB databases, which TensorFlow no longer reads: every call is `Unimplemented`.
/// Write the entries to files of records, and read those with [`TFRecordReaderV2`].
#[op("LMDBReader",
     output = "reader_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     no_gradient,
     shape = handles::reference)]
pub struct LMDBReader;
