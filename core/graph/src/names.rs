//! Names: what a node may be called, how an input or a tensor is written, and how a wanted name is made unique.

use std::collections::HashMap;

/// Whether a node may have this name: a letter, digit or dot, then also `_`, `-`, `/`; several such names may be joined
/// by `>`.
pub fn is_valid_node_name(name: &str) -> bool {
    name.split('>').all(|part| {
        let mut bytes = part.bytes();
        bytes.next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'.')
            && bytes.all(|b| b.is_ascii_alphanumeric() || b"._-/".contains(&b))
    })
}

/// What is wrong with a name.
pub(crate) fn bad_name(name: &str) -> String {
    format!(
        "`{}` is no name for a node: it must start with a letter, digit or `.`, and go on with those, `_`, `-`, `/`",
        name.escape_debug()
    )
}

/// One input of a node, or a tensor asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorName<'a> {
    /// `node` or `node:index`: an output of a node.
    Data(&'a str, u32),
    /// `^node`: the node has run.
    Control(&'a str),
}

impl<'a> TensorName<'a> {
    /// Reads a name. Where what follows the last colon is no index, it is part of the node's name, which no node has.
    pub fn parse(text: &'a str) -> Self {
        if let Some(node) = text.strip_prefix('^') {
            return Self::Control(node);
        }
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        match text.rsplit_once(':') {
            Some((node, index)) if digits(index) => match index.parse() {
                Ok(index) => Self::Data(node, index),
                Err(_) => Self::Data(text, 0),
            },
            _ => Self::Data(text, 0),
        }
    }
}

/// The names in use in a graph: of nodes and of name scopes, regardless of upper and lower case.
#[derive(Clone, Debug, Default)]
pub(crate) struct UniqueNames(HashMap<String, u32>);

impl UniqueNames {
    /// Marks a name that is taken as it is; one that is marked already stays as it was.
    pub(crate) fn mark(&mut self, name: &str) {
        self.0.entry(name.to_ascii_lowercase()).or_insert(1);
    }

    /// The name itself, or with the first suffix `_1`, `_2`, … under which it is free; marks it.
    pub(crate) fn make(&mut self, name: &str) -> String {
        let key = name.to_ascii_lowercase();
        let uses = self.0.entry(key.clone()).or_insert(0);
        let mut next = *uses;
        *uses += 1;
        if next == 0 {
            return name.to_owned();
        }
        loop {
            let candidate = format!("{key}_{next}");
            if !self.0.contains_key(&candidate) {
                self.0.insert(candidate, 1);
                self.0.insert(key, next + 1);
                return format!("{name}_{next}");
            }
            next += 1;
        }
    }
}
