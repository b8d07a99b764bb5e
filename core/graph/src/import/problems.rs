//! The problems of an import, gathered into one error.

use oplink_api::{Code, Error, ErrorKind, Result};

/// What is wrong with a graph, node by node.
pub(super) struct Problems {
    described: Vec<Error>,
    limit: usize,
    count: usize,
    common: Option<(Code, ErrorKind)>,
}

impl Problems {
    pub(super) fn new(limit: usize) -> Self {
        Self { described: Vec::new(), limit: limit.max(1), count: 0, common: None }
    }

    /// Adds a problem of a node; `op` is empty where it is not known.
    pub(super) fn add(&mut self, node: &str, op: &str, error: Error) {
        let this = (error.code(), error.kind());
        let mixed = (Code::InvalidArgument, ErrorKind::InvalidGraph);
        self.common = Some(if self.common.is_none_or(|common| common == this) { this } else { mixed });
        self.count += 1;
        if self.described.len() < self.limit {
            let op = if op.is_empty() { String::new() } else { format!(" (op {})", op.escape_debug()) };
            self.described.push(error.context(format!("node `{}`{op}", node.escape_debug())));
        }
    }

    /// Adds a malformation of the graph itself.
    pub(super) fn malformed(&mut self, node: &str, op: &str, reason: impl Into<String>) {
        self.add(node, op, Error::invalid_argument(reason).with_kind(ErrorKind::InvalidGraph));
    }

    /// Whether further problems are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.described.len() >= self.limit
    }

    /// The one error of all problems.
    pub(super) fn into_result(self) -> Result<()> {
        let Some((code, kind)) = self.common else { return Ok(()) };
        let kind = if kind == ErrorKind::InvalidArgument { ErrorKind::InvalidGraph } else { kind };
        let title = match self.count {
            1 => "the graph has a problem:".to_owned(),
            count => format!("the graph has {count} problems:"),
        };
        let mut message = self.described.iter().fold(title, |text, error| format!("{text}\n- {}", indented(error)));
        let more = self.count - self.described.len();
        if more > 0 {
            message = format!("{message}\n- and {more} more");
        }
        Err(Error::new(code, kind, message))
    }
}

/// The node first, then what is wrong with it.
fn indented(error: &Error) -> String {
    let lines = error.context_lines();
    let (node, details) = lines.split_last().map_or(("", lines), |(node, details)| (node.as_str(), details));
    let text = format!("{node}: {}", error.message());
    details.iter().fold(text, |text, line| format!("{text}\n    {line}"))
}
