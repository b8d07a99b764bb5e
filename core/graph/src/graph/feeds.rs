//! The outputs that the caller of a run gives.

use std::collections::HashMap;
use std::ops::Deref;

use oplink_api::Output;

/// Outputs in the order in which their values are given, and found by a lookup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Feeds {
    list: Vec<Output>,
    positions: HashMap<Output, usize>,
}

impl Feeds {
    /// Whether the output is fed.
    pub(crate) fn contains(&self, output: &Output) -> bool {
        !self.list.is_empty() && self.positions.contains_key(output)
    }

    /// The first output that is given twice.
    pub(crate) fn repeated(&self) -> Option<Output> {
        (0..).zip(&self.list).find(|(at, output)| self.positions[output] != *at).map(|(_, output)| *output)
    }
}

impl FromIterator<Output> for Feeds {
    fn from_iter<I: IntoIterator<Item = Output>>(outputs: I) -> Self {
        let list: Vec<Output> = outputs.into_iter().collect();
        let mut positions = HashMap::with_capacity(list.len());
        for (at, output) in list.iter().enumerate() {
            positions.entry(*output).or_insert(at);
        }
        Self { list, positions }
    }
}

impl Deref for Feeds {
    type Target = [Output];

    fn deref(&self) -> &[Output] {
        &self.list
    }
}

impl<'a> IntoIterator for &'a Feeds {
    type Item = &'a Output;
    type IntoIter = std::slice::Iter<'a, Output>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
