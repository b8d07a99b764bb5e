//! `StringToHashBucketFast` and `StringToHashBucketStrong`: the remainder of a string's hash by a number of buckets.
//!
//! The fast hash is FarmHash's `Fingerprint64`, the strong one SipHash-2-4 with the attr `key` of two integers.

use oplink::prelude::*;

use super::fingerprint::fingerprint64;
use super::sip_hash::sip_hash;
use super::strings::map;

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

/// `StringToHashBucketFast`.
#[kernel(StringToHashBucketFast, device = CPU)]
pub fn string_to_hash_bucket_fast_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let buckets = context.attr::<i64>("num_buckets")? as u64;
    map(context, |bytes| (fingerprint64(bytes) % buckets) as i64)
}

/// `StringToHashBucketStrong`.
#[kernel(StringToHashBucketStrong, device = CPU)]
pub fn string_to_hash_bucket_strong_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let buckets = context.attr::<i64>("num_buckets")? as u64;
    let &[low, high] = context.attr::<&[i64]>("key")? else { bail!("key must have 2 elements") };
    map(context, |bytes| (sip_hash([low as u64, high as u64], bytes) % buckets) as i64)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::{check_with, run};

    #[test]
    fn buckets_are_those_of_tensorflow() {
        let strings = ["", "a", "1234567"].map(TString::from);
        let attrs = [("num_buckets", (1i64 << 62).into()), ("key", vec![1, 2].into())];
        let expected = [443_797_209_252_341_627i64, 546_566_331_822_570_742, 2_865_367_042_069_752_644];
        check_with("StringToHashBucketStrong", &attrs, [strings.into()], expected);
        check_with(
            "StringToHashBucketFast",
            &[("num_buckets", i64::MAX.into())],
            ["".into()],
            1_936_946_117_179_621_456i64,
        );
        let attrs = [("num_buckets", 2.into()), ("key", vec![1].into())];
        assert!(run("StringToHashBucketStrong", &attrs, vec!["".into()]).is_err());
    }
}
