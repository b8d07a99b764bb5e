//! `StringToHashBucket`, `StringToHashBucketFast`, `StringToHashBucketStrong`: the remainder of a string's hash by a
//! number of buckets.
//!
//! The hash without a name is MurmurHash64A (Appleby, 2008) with TensorFlow's seed. The fast hash is FarmHash's
//! `Fingerprint64`, the strong one SipHash-2-4 with the attr `key` of two integers.

use oplink::prelude::*;

/// A bucket for each string, by the hash that TensorFlow had first.
#[op("StringToHashBucket",
     no_gradient,
     input = "string_tensor: string",
     output = "output: int64",
     attr = "num_buckets: int >= 1",
     shape = shape_fns::unchanged)]
pub struct StringToHashBucket;

/// A bucket for each string.
#[op("StringToHashBucketFast", input = "input: string", output = "output: int64", attr = "num_buckets: int >= 1",
     shape = shape_fns::unchanged)]
pub struct StringToHashBucketFast;

/// A bucket for each string that nobody can foretell who lacks the key.
#[op("StringToHashBucketStrong",
     input = "input: string",
     output = "output: int64",
     attr = "num_buckets: int >= 1",
     attr = "key: list(int)",
     shape = shape_fns::unchanged)]
pub struct StringToHashBucketStrong;
