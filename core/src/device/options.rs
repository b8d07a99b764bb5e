//! What a user asks of the devices that factories make.

use std::collections::BTreeMap;

use oplink_api::{Result, ensure};

/// How many devices of each type there are, and what they may use.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceOptions {
    /// The number of devices by type, at most; a type that is not named has as many as there are.
    pub count: BTreeMap<String, usize>,
    /// The physical devices of a type that are used, by number: the first of them becomes device 0. A type that is not
    /// named uses all, in the platform's order.
    pub visible: BTreeMap<String, Vec<usize>>,
    /// The part of a device's memory that may be taken, above 0 and at most 1.
    pub memory_fraction: f64,
    /// Whether memory is taken as it is needed; else all that may be taken is taken at once.
    pub allow_growth: bool,
    /// Bytes that may be taken of each device, whatever the fraction allows; of the host's memory by tensors on a CPU.
    pub memory_limit: Option<usize>,
}

impl Default for DeviceOptions {
    /// Every device, all memory, taken as it is needed.
    fn default() -> Self {
        let (count, visible) = (BTreeMap::new(), BTreeMap::new());
        Self { count, visible, memory_fraction: 1.0, allow_growth: true, memory_limit: None }
    }
}

impl DeviceOptions {
    /// The number of devices of a type that a factory makes where nothing but the options bounds it.
    pub fn count_or(&self, device_type: &str, otherwise: usize) -> usize {
        self.count.get(device_type).copied().unwrap_or(otherwise)
    }

    /// Which of a platform's `found` physical devices of a type are used; device `i` is the `i`th of them.
    ///
    /// # Errors
    /// A visible device does not exist, or is named twice.
    pub fn visible_of(&self, device_type: &str, found: usize) -> Result<Vec<usize>> {
        let mut used = match self.visible.get(device_type) {
            Some(visible) => visible.clone(),
            None => (0..found).collect(),
        };
        for (at, number) in used.iter().enumerate() {
            ensure!(
                *number < found,
                "the visible devices of type {device_type} name number {number}; there are {found}, numbered from 0"
            );
            ensure!(
                !used[..at].contains(number),
                "the visible devices of type {device_type} name number {number} twice"
            );
        }
        used.truncate(self.count_or(device_type, found));
        Ok(used)
    }

    /// Bytes that may be taken of a device that has `total`.
    ///
    /// # Errors
    /// The fraction is not above 0 and at most 1.
    pub fn memory_limit_of(&self, total: usize) -> Result<usize> {
        let fraction = self.memory_fraction;
        ensure!(fraction > 0.0 && fraction <= 1.0, "a memory fraction is above 0 and at most 1, {fraction} is given");
        let part = if fraction < 1.0 { (total as f64 * fraction) as usize } else { total };
        Ok(self.memory_limit.map_or(part, |limit| limit.min(part)))
    }
}
