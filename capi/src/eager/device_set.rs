//! The devices of a context, and the names that clients know them by: those of the process, or of a cluster's task.

use std::ops::Deref;
use std::sync::Arc;

use oplink_core::{Device, DeviceName};

/// Devices, those of the highest priority first.
#[derive(Default)]
pub(super) struct DeviceSet {
    devices: Vec<Arc<dyn Device>>,
    /// The job, replica and task of the process, where it is part of a cluster.
    task: Option<DeviceName>,
}

impl DeviceSet {
    pub(super) fn new(devices: Vec<Arc<dyn Device>>) -> Self {
        Self { devices, task: None }
    }

    /// These devices in place of those there are.
    pub(super) fn with_devices(&self, devices: Vec<Arc<dyn Device>>) -> Self {
        Self { devices, task: self.task.clone() }
    }

    /// The same devices of a task.
    pub(super) fn of_task(&self, task: DeviceName) -> Self {
        Self { devices: self.devices.clone(), task: Some(task) }
    }

    /// Whether clients know the devices by the names of a task.
    pub(super) fn are_of_a_task(&self) -> bool {
        self.task.is_some()
    }

    /// The name by which clients know a device of the process.
    pub(super) fn public_name(&self, name: &str) -> String {
        match (&self.task, DeviceName::parse(name)) {
            (Some(task), Ok(own)) => {
                DeviceName { device_type: own.device_type, index: own.index, ..task.clone() }.to_string()
            }
            _ => name.to_owned(),
        }
    }

    /// The name in the process of a device that a client names.
    pub(super) fn local_name(&self, name: &str) -> String {
        let Some(task) = &self.task else { return name.to_owned() };
        let is_open_or = |asked: Option<u32>, own: Option<u32>| asked.is_none() || asked == own;
        match DeviceName::parse(name) {
            Ok(asked)
                if asked.job == task.job
                    && is_open_or(asked.replica, task.replica)
                    && is_open_or(asked.task, task.task) =>
            {
                DeviceName { job: None, replica: None, task: None, ..asked }.to_string()
            }
            _ => name.to_owned(),
        }
    }
}

impl Deref for DeviceSet {
    type Target = [Arc<dyn Device>];

    fn deref(&self) -> &Self::Target {
        &self.devices
    }
}
