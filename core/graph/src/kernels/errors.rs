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
    let groups = of_one_reason(failed);
    for group in &groups {
        message = format!("{message}\n- {}", group[0]);
        if let [_, second, further @ ..] = group.as_slice() {
            let node =
                second.context_lines().iter().find(|line| is_of_node(line)).map_or("another node", String::as_str);
            let more = if further.is_empty() { String::new() } else { format!(", and {} more nodes", further.len()) };
            message = format!("{message}\n  as well: {node}{more}");
        }
    }
    let told: usize = groups.iter().map(Vec::len).sum();
    if count > told {
        message = format!("{message}\n- and {} more", count - told);
    }
    Error::new(failed[0].code(), failed[0].kind(), message)
}

/// The errors that differ in the node only, together: the first groups.
fn of_one_reason(failed: &[Error]) -> Vec<Vec<&Error>> {
    let mut groups: Vec<Vec<&Error>> = Vec::new();
    for error in failed {
        match groups.iter().position(|group| is_alike(group[0], error)) {
            Some(at) => groups[at].push(error),
            None if groups.len() < MAX_DESCRIBED => groups.push(vec![error]),
            None => {}
        }
    }
    groups
}

fn is_alike(a: &Error, b: &Error) -> bool {
    let of_others = |line: &&String| !is_of_node(line);
    let lines = |error: &'_ Error| error.context_lines().iter().filter(of_others).cloned().collect::<Vec<_>>();
    a.message() == b.message() && lines(a) == lines(b)
}

/// Whether a line of an error's context names its node.
fn is_of_node(line: &str) -> bool {
    line.starts_with("node `")
}
