//! `ShardedFilename` and `ShardedFilespec`: the name of one of several files, `<basename>-SSSSS-of-NNNNN`, and the
//! pattern that matches all of them, `<basename>-?????-of-NNNNN`.
//!
//! All inputs are scalars. Numbers have five digits at least.

use super::paths::scalar;
use oplink::prelude::*;
use oplink_ops::io::{ShardedFilename, ShardedFilespec};

/// `ShardedFilename`.
#[kernel(ShardedFilename, device = CPU)]
pub fn sharded_filename_cpu(basename: &Tensor, shard: &Tensor, num_shards: &Tensor) -> Result<TString> {
    let mut name = scalar(basename, "basename")?.as_bytes().to_vec();
    let [shard, num_shards] = [number(shard, "shard")?, number(num_shards, "num_shards")?];
    name.extend(format!("-{shard:05}-of-{num_shards:05}").into_bytes());
    Ok(TString::new(name))
}

/// `ShardedFilespec`.
#[kernel(ShardedFilespec, device = CPU)]
pub fn sharded_filespec_cpu(basename: &Tensor, num_shards: &Tensor) -> Result<TString> {
    let mut name = scalar(basename, "basename")?.as_bytes().to_vec();
    name.extend(format!("-?????-of-{:05}", number(num_shards, "num_shards")?).into_bytes());
    Ok(TString::new(name))
}

/// The value of an input that must be a scalar.
fn number(tensor: &Tensor, name: &str) -> Result<i32> {
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    tensor.to_scalar()
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn numbers_have_five_digits() {
        check("ShardedFilename", ["a/b".into(), 1.into(), 2.into()], "a/b-00001-of-00002");
        check("ShardedFilename", ["".into(), (-1).into(), 1_234_567.into()], "--0001-of-1234567");
    }

    #[test]
    fn vectors_are_errors() {
        check_error("ShardedFilename", ["a".into(), [1].into(), 2.into()], "shard must be a scalar");
    }

    #[test]
    fn pattern() {
        check("ShardedFilespec", ["a/b".into(), 12.into()], "a/b-?????-of-00012");
        check_error("ShardedFilespec", [["a"; 2].map(oplink::TString::from).into(), 12.into()], "must be a scalar");
    }
}
