//! Names within a function that is made of a graph, as TensorFlow gives them: each is used once, results choose first,
//! then arguments, then nodes.

use std::collections::HashMap;

use oplink_api::{Result, ensure};

/// What a name without a letter becomes.
const NAMELESS: &str = "unknown";

#[derive(Debug, Default)]
pub(super) struct NewNames {
    /// The names in use, each with the next suffix to try for it.
    used: HashMap<String, u32>,
    /// What stands for the graph's nodes in the function: arguments and nodes of the body.
    nodes: HashMap<u32, String>,
}

impl NewNames {
    /// Takes the name that the client gives a result.
    ///
    /// # Errors
    /// Another result has it.
    pub(super) fn given_result(&mut self, name: &str) -> Result<()> {
        let is_new = self.used.insert(name.to_owned(), 0).is_none();
        ensure!(is_new, "two results are named `{}`", name.escape_debug());
        Ok(())
    }

    /// The name of a result that comes from the node `name`.
    pub(super) fn result(&mut self, name: &str) -> String {
        self.unique(normalized(name))
    }

    /// The name of an argument that stands for an output of a node.
    pub(super) fn argument(&mut self, node: u32, name: &str) -> String {
        let name = self.unique(normalized(name));
        self.nodes.insert(node, name.clone());
        name
    }

    /// The name of a node of the body.
    pub(super) fn node(&mut self, node: u32, name: &str) -> String {
        let name = self.unique(name.to_owned());
        self.nodes.insert(node, name.clone());
        name
    }

    /// What stands for a node of the graph; `None` where it is outside of the function.
    pub(super) fn of(&self, node: u32) -> Option<&str> {
        self.nodes.get(&node).map(String::as_str)
    }

    /// The name itself, or with the first suffix `_0`, `_1`, … under which it is free.
    fn unique(&mut self, wanted: String) -> String {
        let Some(&first) = self.used.get(&wanted) else {
            self.used.insert(wanted.clone(), 0);
            return wanted;
        };
        let mut next = first;
        loop {
            let candidate = format!("{wanted}_{next}");
            next += 1;
            if !self.used.contains_key(&candidate) {
                self.used.insert(candidate.clone(), 0);
                self.used.insert(wanted, next);
                return candidate;
            }
        }
    }
}

/// A node's name as an argument's or a result's: from the first letter on, in lower case, `_` for what is neither a
/// letter nor a digit.
fn normalized(node: &str) -> String {
    let legal = |byte: u8| if byte.is_ascii_alphanumeric() { byte.to_ascii_lowercase() as char } else { '_' };
    let name: String = node.bytes().map(legal).collect();
    name.find(|c: char| c.is_ascii_lowercase()).map_or_else(|| NAMELESS.to_owned(), |at| name[at..].to_owned())
}
