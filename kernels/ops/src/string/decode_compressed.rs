//! Strings that are compressed.

use oplink::prelude::*;

/// The bytes of each string without compression: `compression_type` is empty for none, `ZLIB` or `GZIP`. Bytes that
/// are not so compressed are `DataLoss`.
#[op("DecodeCompressed",
     input = "bytes: string",
     output = "output: string",
     attr = "compression_type: string = ''",
     shape = shape_fns::unchanged)]
pub struct DecodeCompressed;
