//! Several errors as one.

use oplink_api::{Error, Result};

/// Nodes without a kernel that an error describes.
const MAX_DESCRIBED: usize = 20;

/// Nodes that cannot run, in one error.
///
/// # Errors
/// There are some.
pub(crate) fn aggregate_errors(mut failed: Vec<Error>) -> Result<()> {
    match failed.len() {
        0 => Ok(()),
        1 => Err(failed.swap_remove(0)),
        count => Err(several(&failed, count)),
    }
}

#[cold]
fn several(failed: &[Error], count: usize) -> Error {
    let mut message = format!("{count} nodes of the graph cannot run:");
    for error in failed.iter().take(MAX_DESCRIBED) {
        message = format!("{message}\n- {error}");
    }
    if count > MAX_DESCRIBED {
        message = format!("{message}\n- and {} more", count - MAX_DESCRIBED);
    }
    Error::new(failed[0].code(), failed[0].kind(), message)
}
