//! `ShardedFilespec`: a pattern that matches the names of several files, `<basename>-?????-of-NNNNN`.
//!
//! Both inputs are scalars.

use oplink::prelude::*;

use super::paths::scalar;
use super::shapes;
use super::sharded_filename::number;

/// Makes a pattern for the names of several files.
#[op("ShardedFilespec",
     input = "basename: string",
     input = "num_shards: int32",
     output = "filename: string",
     shape = shapes::scalars)]
pub struct ShardedFilespec;

/// `ShardedFilespec`.
#[kernel(ShardedFilespec, device = CPU)]
pub fn sharded_filespec_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let mut name = scalar(context, 0, "basename")?.as_bytes().to_vec();
    name.extend(format!("-?????-of-{:05}", number(context, 1, "num_shards")?).into_bytes());
    context.set_scalar(0, TString::new(name));
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::support::testing::{check, check_error};

    #[test]
    fn pattern() {
        check("ShardedFilespec", ["a/b".into(), 12.into()], "a/b-?????-of-00012");
        check_error("ShardedFilespec", [["a"; 2].map(oplink::TString::from).into(), 12.into()], "must be a scalar");
    }
}
