//! The device that a node asks for.

use oplink_api::{Error, Result};
use oplink_core::DeviceName;

/// A device name, whole or in part; the empty one asks for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request(DeviceName);

impl Request {
    /// # Errors
    /// The name is malformed.
    pub(crate) fn parse(name: &str) -> Result<Self> {
        if name.is_empty() {
            return Ok(Self::default());
        }
        DeviceName::parse(name).map(Self)
    }

    /// Whether it names a device type.
    pub(super) fn has_type(&self) -> bool {
        self.0.device_type.is_some()
    }

    /// Whether the device of this name is one that it asks for.
    pub(crate) fn is_met_by(&self, device: &Self) -> bool {
        let (wanted, has) = (&self.0, &device.0);
        let same_type = match (&wanted.device_type, &has.device_type) {
            (Some(wanted), Some(has)) => wanted.eq_ignore_ascii_case(has),
            _ => true,
        };
        same_type
            && agree(wanted.job.as_ref(), has.job.as_ref())
            && agree(wanted.replica.as_ref(), has.replica.as_ref())
            && agree(wanted.task.as_ref(), has.task.as_ref())
            && agree(wanted.index.as_ref(), has.index.as_ref())
    }

    /// The same with any device type and number.
    pub(crate) fn softened(&self) -> Self {
        Self(DeviceName { device_type: None, index: None, ..self.0.clone() })
    }

    /// What both ask for; `None` where they contradict each other.
    pub(super) fn merged(&self, other: &Self) -> Option<Self> {
        self.is_met_by(other).then(|| self.over(other))
    }

    /// What it asks for, and beyond that what the other does; a number counts only with its type.
    pub(super) fn over(&self, other: &Self) -> Self {
        let (one, mut other) = (self.0.clone(), other.0.clone());
        if !agree(one.device_type.as_ref(), other.device_type.as_ref()) {
            other.index = None;
        }
        Self(DeviceName {
            job: one.job.or(other.job),
            replica: one.replica.or(other.replica),
            task: one.task.or(other.task),
            device_type: one.device_type.or(other.device_type),
            index: one.index.or(other.index),
        })
    }
}

/// Whether there is nothing in which the two differ.
fn agree<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    one.is_none() || other.is_none() || one == other
}

/// Adds who asks for it.
#[cold]
pub(crate) fn malformed(name: &str, error: Error) -> Error {
    error.context(format!("the device `{}` that the node asks for", name.escape_debug()))
}
