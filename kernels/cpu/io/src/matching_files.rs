//! `MatchingFiles`: the names of the files that a pattern matches.
//!
//! `pattern` is a scalar or a vector. `*` stands for any characters, `?` for one, `[a-z]` and `[!a-z]` for one of or
//! none of some, `\` makes the next one ordinary; none of them stands for a `/`. The output is a vector of all matches
//! in order; a file that several patterns match is there several times. Nothing that matches is no error.

use oplink::prelude::*;
use oplink_cpu_support::matching::matching_paths;
use oplink_ops::io::MatchingFiles;

/// `MatchingFiles`.
#[kernel(MatchingFiles, device = CPU)]
pub fn matching_files_cpu(pattern: &Tensor) -> Result<Tensor> {
    ensure!(pattern.rank() <= 1, "pattern must be a scalar or a vector, it has shape {}", pattern.shape());
    let mut names = Vec::new();
    for pattern in pattern.as_slice::<TString>()? {
        names.extend(matching_paths(pattern.as_bytes())?.iter().map(TString::new));
    }
    names.sort();
    Ok(names.into())
}
