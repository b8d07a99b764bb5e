//! The problems of an import, gathered into one error.

use oplink_api::{Code, Error, ErrorKind, Result};

/// What is wrong with a graph, node by node.
pub(super) struct Problems {
    described: Vec<Described>,
    limit: usize,
    count: usize,
    common: Option<(Code, ErrorKind)>,
}

/// One problem, of the nodes that have it.
struct Described {
    op: String,
    error: Error,
    /// The first of the nodes.
    examples: Vec<String>,
    count: usize,
}

/// Nodes that a message names as those of one problem.
const MAX_EXAMPLES: usize = 2;

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
        if let Some(same) = self.described.iter_mut().find(|other| other.is_of(op, &error)) {
            same.add(node);
        } else if self.described.len() < self.limit {
            let mut new = Described { op: op.to_owned(), error, examples: Vec::new(), count: 0 };
            new.add(node);
            self.described.push(new);
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
        let mut message = self.described.iter().fold(title, |text, one| format!("{text}\n- {}", one.text()));
        let more = self.count - self.described.iter().map(|one| one.count).sum::<usize>();
        if more > 0 {
            message = format!("{message}\n- and {more} more");
        }
        Err(Error::new(code, kind, message))
    }
}

impl Described {
    /// Whether another node of this op has the same problem.
    fn is_of(&self, op: &str, error: &Error) -> bool {
        self.op == op
            && self.error.message() == error.message()
            && self.error.context_lines() == error.context_lines()
            && (self.error.code(), self.error.kind()) == (error.code(), error.kind())
    }

    fn add(&mut self, node: &str) {
        self.count += 1;
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(format!("`{}`", node.escape_debug()));
        }
    }

    /// The nodes first, then what is wrong with them.
    fn text(&self) -> String {
        let nodes = match (self.count, self.examples.as_slice()) {
            (1, [node, ..]) => format!("node {node}"),
            (2, [first, second]) => format!("nodes {first} and {second}"),
            (count, examples) => format!("{count} nodes, such as {}", examples.join(" and ")),
        };
        let op = if self.op.is_empty() { String::new() } else { format!(" (op {})", self.op.escape_debug()) };
        let lines = self.error.context_lines().iter();
        lines.fold(format!("{nodes}{op}: {}", self.error.message()), |text, line| format!("{text}\n    {line}"))
    }
}
