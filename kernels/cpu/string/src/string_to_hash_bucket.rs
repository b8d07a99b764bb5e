//! `StringToHashBucketFast` and `StringToHashBucketStrong`: the remainder of a string's hash by a number of buckets.
//!
//! The fast hash is FarmHash's `Fingerprint64`, the strong one SipHash-2-4 with the attr `key` of two integers.

use super::fingerprint::fingerprint64;
use super::strings::map;
use oplink::prelude::*;
use oplink_ops::string::{StringToHashBucketFast, StringToHashBucketStrong};
use siphasher::sip::SipHasher24;

/// `StringToHashBucketFast`.
#[kernel(StringToHashBucketFast, device = CPU)]
pub fn string_to_hash_bucket_fast_cpu(input: &Tensor, num_buckets: i64, env: Env<'_>) -> Result<Tensor> {
    let buckets = num_buckets as u64;
    map(input, env, &|bytes| (fingerprint64(bytes) % buckets) as i64)
}

/// `StringToHashBucketStrong`.
#[kernel(StringToHashBucketStrong, device = CPU)]
pub fn string_to_hash_bucket_strong_cpu(input: &Tensor, num_buckets: i64, key: &[i64], env: Env<'_>) -> Result<Tensor> {
    let &[low, high] = key else { bail!("key must have 2 elements, it has {}", key.len()) };
    let (buckets, hasher) = (num_buckets as u64, SipHasher24::new_with_keys(low as u64, high as u64));
    map(input, env, &|bytes| (hasher.hash(bytes) % buckets) as i64)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check_with, run};

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
