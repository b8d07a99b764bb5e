//! `MatchingFiles`: the names of the files that a pattern matches.
//!
//! `pattern` is a scalar or a vector. `*` stands for any characters, `?` for one, `[a-z]` and `[!a-z]` for one of or
//! none of some, `\` makes the next one ordinary; none of them stands for a `/`. The output is a vector of all matches
//! in order; a file that several patterns match is there several times. Nothing that matches is no error.

use oplink::prelude::*;

/// Lists the files that patterns match.
#[op("MatchingFiles", input = "pattern: string", output = "filenames: string", shape = matching_shape)]
pub struct MatchingFiles;

fn matching_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank_at_most(0, 1)?;
    c.set_output(0, PartialShape::unknown_of_rank(1));
    Ok(())
}
