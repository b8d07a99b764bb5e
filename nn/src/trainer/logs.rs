//! What training tells: numbers by name, and those of all epochs.

use oplink_api::{Error, Result};

/// Numbers by name, in the order in which they came: `loss`, the metrics, the same of the validation data behind
/// `val_`, `learning_rate`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Logs(Vec<(String, f64)>);

impl Logs {
    /// The number of this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|&(_, value)| value)
    }

    /// As [`Logs::get`], for a name that a callback was given.
    ///
    /// # Errors
    /// There is no such number.
    pub fn monitored(&self, name: &str) -> Result<f64> {
        self.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.iter().map(|(name, _)| name).collect();
            let hint = if name.starts_with("val_") { "; `val_` needs validation data" } else { "" };
            Error::invalid_argument(format!("`{name}` is to be monitored, there are {known:?}{hint}"))
        })
    }

    /// All numbers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    pub(crate) fn set(&mut self, name: impl Into<String>, value: f64) {
        let name = name.into();
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }
}

/// The numbers of all epochs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub(crate) epochs: Vec<Logs>,
}

impl History {
    /// The numbers of each epoch, the first one first.
    pub fn epochs(&self) -> &[Logs] {
        &self.epochs
    }

    /// The numbers of this name, for each epoch that has one.
    pub fn get(&self, name: &str) -> Vec<f64> {
        self.epochs.iter().filter_map(|logs| logs.get(name)).collect()
    }

    /// The last number of this name.
    pub fn last(&self, name: &str) -> Option<f64> {
        self.epochs.iter().rev().find_map(|logs| logs.get(name))
    }

    /// Names in the order in which they first came.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in self.epochs.iter().flat_map(Logs::iter) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
