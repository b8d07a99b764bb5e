//! The GPUs that Vulkan knows, and what they are.

use wgpu::{Adapter, AdapterInfo, Backends, DeviceType, Instance, InstanceDescriptor, InstanceFlags};

/// A GPU that may be opened.
pub(super) struct Found {
    pub(super) adapter: Adapter,
    pub(super) info: AdapterInfo,
}

impl Found {
    /// What it is, for people.
    pub(super) fn description(&self) -> String {
        let AdapterInfo { name, driver, driver_info, device_pci_bus_id, .. } = &self.info;
        let mut description = format!("{name} by Vulkan");
        if !driver.is_empty() {
            description += &format!(", driver {driver} {driver_info}");
        }
        if !device_pci_bus_id.is_empty() {
            description += &format!(", PCI bus {device_pci_bus_id}");
        }
        description
    }
}

/// Every GPU, the fastest kind first, in the driver's order within a kind. A driver that computes on the CPU counts
/// only where there is no other.
pub(super) fn find() -> Vec<Found> {
    let descriptor = InstanceDescriptor {
        backends: Backends::VULKAN,
        flags: InstanceFlags::empty(),
        ..InstanceDescriptor::new_without_display_handle()
    };
    let adapters = pollster::block_on(Instance::new(descriptor).enumerate_adapters(Backends::VULKAN));
    let mut found: Vec<Found> =
        adapters.into_iter().map(|adapter| Found { info: adapter.get_info(), adapter }).collect();
    if found.iter().any(|found| !is_software(found)) {
        found.retain(|found| !is_software(found));
    }
    found.sort_by_key(|found| kind(found.info.device_type));
    found
}

fn is_software(found: &Found) -> bool {
    found.info.device_type == DeviceType::Cpu
}

fn kind(kind: DeviceType) -> u8 {
    match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}
