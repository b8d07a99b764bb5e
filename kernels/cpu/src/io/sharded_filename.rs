//! `ShardedFilename`: the name of one of several files, `<basename>-SSSSS-of-NNNNN`.
//!
//! All three inputs are scalars. Numbers have five digits at least.

use oplink::prelude::*;

use super::paths::scalar;
use super::shapes;

/// Makes the name of one of several files.
#[op("ShardedFilename",
     input = "basename: string",
     input = "shard: int32",
     input = "num_shards: int32",
     output = "filename: string",
     shape = shapes::scalars)]
pub struct ShardedFilename;

/// `ShardedFilename`.
#[kernel(ShardedFilename, device = CPU)]
pub fn sharded_filename_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let mut name = scalar(context, 0, "basename")?.as_bytes().to_vec();
    let [shard, num_shards] = [number(context, 1, "shard")?, number(context, 2, "num_shards")?];
    name.extend(format!("-{shard:05}-of-{num_shards:05}").into_bytes());
    context.set_scalar(0, TString::new(name));
    Ok(())
}

/// The value of a scalar input.
pub(super) fn number(context: &KernelContext<'_>, index: usize, name: &str) -> Result<i32> {
    let tensor = context.input(index);
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    tensor.to_scalar()
}

#[cfg(test)]
mod tests {
    use crate::support::testing::{check, check_error};

    #[test]
    fn numbers_have_five_digits() {
        check("ShardedFilename", ["a/b".into(), 1.into(), 2.into()], "a/b-00001-of-00002");
        check("ShardedFilename", ["".into(), (-1).into(), 1_234_567.into()], "--0001-of-1234567");
    }

    #[test]
    fn vectors_are_errors() {
        check_error("ShardedFilename", ["a".into(), [1].into(), 2.into()], "shard must be a scalar");
    }
}
