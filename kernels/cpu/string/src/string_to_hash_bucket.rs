//! `StringToHashBucket`, `StringToHashBucketFast`, `StringToHashBucketStrong`: the remainder of a string's hash by a
//! number of buckets.
//!
//! The hash without a name is MurmurHash64A (Appleby, 2008), with TensorFlow's seed and with bytes taken for unsigned
//! ones. The fast hash is FarmHash's `Fingerprint64`, the strong one SipHash-2-4 with the attr `key` of two integers.

use super::strings::map;
use oplink::prelude::*;
use oplink_cpu_support::fingerprint::fingerprint64;
use oplink_ops::string::{StringToHashBucket, StringToHashBucketFast, StringToHashBucketStrong};
use siphasher::sip::SipHasher24;

/// The seed, the factor and the shift of the hash without a name.
const SEED: u64 = 0x00DE_CAFC_AFFE;
const FACTOR: u64 = 0xC6A4_A793_5BD1_E995;
const SHIFT: u32 = 47;

/// `StringToHashBucket`.
#[kernel(StringToHashBucket, device = CPU)]
pub fn string_to_hash_bucket_cpu(string_tensor: &Tensor, num_buckets: i64, env: Env<'_>) -> Result<Tensor> {
    let buckets = num_buckets as u64;
    map(string_tensor, env, &|bytes| (murmur(bytes) % buckets) as i64)
}

fn murmur(bytes: &[u8]) -> u64 {
    let mixed = |word: u64| word ^ (word >> SHIFT);
    let (words, rest) = bytes.as_chunks();
    let mut hash = SEED ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    for &word in words {
        let word = mixed(u64::from_le_bytes(word).wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
        hash = (hash ^ word).wrapping_mul(FACTOR);
    }
    if !rest.is_empty() {
        let word = rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        hash = (hash ^ word).wrapping_mul(FACTOR);
    }
    mixed(mixed(hash).wrapping_mul(FACTOR))
}

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
        let short = ["a", "b", ""].map(TString::from);
        check_with("StringToHashBucket", &[("num_buckets", 1000.into())], [short.into()], [868i64, 370, 899]);
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
