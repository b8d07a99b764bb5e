//! What ran and what was ignored, in the file that `OPLINK_TEST_RECORD` names: a line a test, `ran PACKAGE PATH`,
//! `ignored PACKAGE PATH` or, of what only long forms run, `left PACKAGE PATH`, from all binaries one after the other.
//! So whoever runs the tests under several conditions sees whether each of them ran under one.

use std::fs::OpenOptions;
use std::io::Write;

use crate::Test;

/// Adds a line.
pub(crate) fn add(what: &str, test: &Test) -> Result<(), String> {
    let Some(file) = std::env::var_os("OPLINK_TEST_RECORD") else { return Ok(()) };
    let line = format!("{what} {} {}\n", test.package, test.path);
    let written = OpenOptions::new().create(true).append(true).open(&file);
    let written = written.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map_err(|error| format!("OPLINK_TEST_RECORD={}: {error}", file.display()))
}
