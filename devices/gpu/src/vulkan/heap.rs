//! How much memory an adapter has: wgpu does not tell, Vulkan does.
#![allow(unsafe_code, reason = "room: questions to Vulkan")]

use wgpu::Adapter;
use wgpu::hal::api::Vulkan;

/// What is taken to be there where the driver tells nothing.
const UNKNOWN: usize = 1 << 30;

/// `VK_MEMORY_HEAP_DEVICE_LOCAL_BIT`.
const DEVICE_LOCAL: u32 = 1;

/// Bytes of the largest heap of the device's own.
pub(super) fn bytes(adapter: &Adapter) -> usize {
    // SAFETY: the handle is only asked, and nothing of it is ended.
    let Some(adapter) = (unsafe { adapter.as_hal::<Vulkan>() }) else { return UNKNOWN };
    let instance = adapter.shared_instance().raw_instance();
    // SAFETY: the physical device is of this instance, which the adapter keeps.
    let memory = unsafe { instance.get_physical_device_memory_properties(adapter.raw_physical_device()) };
    let heaps = memory.memory_heaps.iter().take(memory.memory_heap_count as usize);
    let own = heaps.filter(|heap| heap.flags.as_raw() & DEVICE_LOCAL != 0).map(|heap| heap.size).max();
    own.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(UNKNOWN)
}
