//! Devices in a plugin: what a vendor implements, and what makes TensorFlow's `SE_InitPlugin` of it.
//!
//! ```
//! # extern crate oplink_plugin as oplink;
//! use oplink::device::{self, Device, EventStatus, HostCallback, HostSource, HostTarget, MemoryUsage, Pattern, Platform, Region};
//! # use oplink::Result;
//!
//! struct Chip;
//! struct Chips;
//!
//! impl Platform for Chips {
//!     type Device = Chip;
//!     const NAME: &'static str = "ACME_CHIP";
//!     const TYPE: &'static str = "CHIP";
//!     fn open() -> Result<Self> { Ok(Chips) }
//!     fn num_devices(&self) -> Result<usize> { Ok(1) }
//!     fn device(&self, _: usize) -> Result<Chip> { Ok(Chip) }
//! }
//!
//! // SAFETY: copies are done when they return, so nothing of the host's is used later.
//! unsafe impl Device for Chip {
//!     type Stream = ();
//!     type Event = ();
//!     type Timer = ();
//!     // allocate, copy_to_host, …
//! #   fn allocate(&self, _: u64) -> Option<Region> { None }
//! #   fn deallocate(&self, _: Region) {}
//! #   fn memory_usage(&self) -> Option<MemoryUsage> { None }
//! #   fn create_stream(&self) -> Result<()> { Ok(()) }
//! #   fn wait_for_stream(&self, _: &(), _: &()) -> Result<()> { Ok(()) }
//! #   fn stream_status(&self, _: &()) -> Result<()> { Ok(()) }
//! #   fn create_event(&self) -> Result<()> { Ok(()) }
//! #   fn event_status(&self, _: &()) -> EventStatus { EventStatus::Complete }
//! #   fn record_event(&self, _: &(), _: &()) -> Result<()> { Ok(()) }
//! #   fn wait_for_event(&self, _: &(), _: &()) -> Result<()> { Ok(()) }
//! #   fn block_for_event(&self, _: &()) -> Result<()> { Ok(()) }
//! #   fn create_timer(&self) -> Result<()> { Ok(()) }
//! #   fn start_timer(&self, _: &(), _: &()) -> Result<()> { Ok(()) }
//! #   fn stop_timer(&self, _: &(), _: &()) -> Result<()> { Ok(()) }
//! #   fn nanoseconds(&self, _: &()) -> u64 { 0 }
//! #   fn copy_to_host(&self, _: &(), _: HostTarget, _: Region) -> Result<()> { Ok(()) }
//! #   fn copy_to_device(&self, _: &(), _: Region, _: HostSource) -> Result<()> { Ok(()) }
//! #   fn copy_in_device(&self, _: &(), _: Region, _: Region) -> Result<()> { Ok(()) }
//! #   fn fill(&self, _: &(), _: Region, _: Pattern) -> Result<()> { Ok(()) }
//! #   fn block_until_done(&self, _: &()) -> Result<()> { Ok(()) }
//! #   fn synchronize(&self) -> Result<()> { Ok(()) }
//! #   fn call_back(&self, _: &(), callback: HostCallback) -> Result<()> { callback.call() }
//! }
//!
//! oplink::platform! { Chips }
//! # fn main() {}
//! ```
//!
//! Kernels for the device stand in the same library: `#[kernel(MyOp, device = CHIP, …)]`, registered by
//! [`plugin!`](crate::plugin). Each puts its work into the stream that [`KernelStream::of`] gives, and finds its
//! tensors' memory by [`Region::of_tensor`]. Arguments that `host_memory` names are in the host's memory, and can be
//! read.
//!
//! # Errors and panics
//!
//! A function that returns a `Result` tells the host its code and message. A panic is an error of the code `Internal`,
//! where the plugin's profile has `panic = "unwind"`. Where the interface has no status, a panic is what a failure is:
//! no memory, nothing known of memory or allocator, facts unknown, [`EventStatus::Error`], a callback that is refused,
//! and nothing at all when something is given back or ended.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod executor;
mod functions;
mod handles;
mod host_memory;
mod init;
mod kernel;
mod kernel_streams;
mod traits;
mod values;

pub use host_memory::{allocate_host_memory, deallocate_host_memory};
pub use init::init_platform;
pub use kernel::KernelStream;
pub use oplink_api::device::*;
pub use traits::{Device, Platform, is_name};
pub use values::{
    AllocatorStatistics, Description, EventStatus, Facts, HostCallback, HostSource, HostTarget, MemoryUsage, Pattern,
    Region,
};

/// Makes the crate a plugin with devices: `platform! { MyPlatform }`, a type that is a
/// [`Platform`](crate::device::Platform). Once in a crate.
///
/// It exports `SE_InitPlugin`. A host of another version of the interface, or whose structs are too short, is refused
/// by a status that says what is missing.
#[macro_export]
macro_rules! platform {
    ($platform:ty) => {
        const _: () = {
            assert!(
                $crate::device::is_name(<$platform as $crate::device::Platform>::NAME),
                "NAME of a platform is a capital letter, then capital letters and underscores"
            );
            assert!(
                $crate::device::is_name(<$platform as $crate::device::Platform>::TYPE),
                "TYPE of a platform is a capital letter, then capital letters and underscores"
            );

            #[unsafe(no_mangle)]
            unsafe extern "C" fn SE_InitPlugin(
                params: *mut $crate::__plugin::SE_PlatformRegistrationParams,
                status: *mut $crate::__plugin::TF_Status,
            ) {
                // SAFETY: the host passes what the function is declared to get.
                unsafe { $crate::device::init_platform::<$platform>(params, status) }
            }
        };
    };
}
