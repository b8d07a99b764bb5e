//! A platform: what one library registers, a device type and its devices.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

mod host;
mod open;

pub use host::register;

use std::ffi::c_int;
use std::sync::Arc;

use oplink_abi::{
    SE_PlatformRegistrationParams, SP_DeviceFns, SP_Platform, SP_PlatformFns, SP_StreamExecutor, SP_TimerFns,
};
use oplink_api::Result;
use oplink_core::{Device, DeviceOptions};

use crate::executor::Executor;
use crate::padded_struct::PaddedStruct;
use crate::pluggable::PluggableDevice;
use oplink_host::status::StatusFunctions;

/// What a library with `SE_InitPlugin` registered. Dropping the last reference gives everything back to the library:
/// the functions of devices first, the platform last.
pub struct Platform {
    name: String,
    device_type: String,
    origin: String,
    device_count: usize,
    status: StatusFunctions,
    platform: PaddedStruct<SP_Platform>,
    fns: PaddedStruct<SP_PlatformFns>,
    destroy_platform: Option<unsafe extern "C" fn(*mut SP_Platform)>,
    destroy_platform_fns: Option<unsafe extern "C" fn(*mut SP_PlatformFns)>,
    device_fns: Option<PaddedStruct<SP_DeviceFns>>,
    stream_executor: Option<PaddedStruct<SP_StreamExecutor>>,
    timer_fns: Option<PaddedStruct<SP_TimerFns>>,
}

// SAFETY: the structs are changed while the platform is made and ended only; TensorFlow calls the functions in them
// from any thread, and so plugins expect that.
unsafe impl Send for Platform {}
// SAFETY: shared structs are only read; the plugin's functions in them expect calls from any thread.
unsafe impl Sync for Platform {}

impl Platform {
    /// The platform's own name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The device type by which graphs ask for its devices.
    pub fn device_type(&self) -> &str {
        &self.device_type
    }

    /// The library's file, or who else the platform comes from.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The number of its devices.
    pub fn device_count(&self) -> usize {
        self.device_count
    }

    /// Makes its devices: those that `options` lets be seen, at most as many as it says, numbered from 0.
    ///
    /// # Errors
    /// The options name devices that there are not. The library cannot make one; then those made before are gone again.
    pub fn create_devices(self: &Arc<Self>, options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
        let ordinals = options.visible_of(&self.device_type, self.device_count)?;
        let make = |(index, &ordinal): (usize, &usize)| -> Result<Arc<dyn Device>> {
            let executor = Executor::new(self.clone(), ordinal as i32, index)?;
            Ok(Arc::new(PluggableDevice::new(executor, options)?))
        };
        ordinals.iter().enumerate().map(make).collect()
    }

    pub(crate) fn status(&self) -> StatusFunctions {
        self.status
    }

    pub(crate) fn as_ptr(&self) -> *const SP_Platform {
        self.platform.as_ptr()
    }

    pub(crate) fn fns(&self) -> &SP_PlatformFns {
        &self.fns
    }

    /// The functions of its devices; there are none only while the platform is being made.
    pub(crate) fn stream_executor(&self) -> Option<&SP_StreamExecutor> {
        self.stream_executor.as_deref()
    }

    pub(crate) fn device_fns(&self) -> Option<&SP_DeviceFns> {
        self.device_fns.as_deref()
    }

    pub(crate) fn timer_fns(&self) -> Option<&SP_TimerFns> {
        self.timer_fns.as_deref()
    }

    pub(crate) fn has_unified_memory(&self) -> bool {
        self.platform.supports_unified_memory != 0
    }

    /// Whether the host divides large blocks of device memory itself; else each tensor is an allocation of the
    /// plugin's.
    pub(crate) fn divides_memory(&self) -> bool {
        self.platform.use_bfc_allocator != 0
    }

    pub(crate) fn forces_growth(&self) -> bool {
        self.platform.force_memory_growth != 0
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        let platform = self.platform.as_ptr();
        let fns = *self.fns;
        // SAFETY: each struct was filled by the plugin, is ended once, and no device uses it any more: devices hold the
        // platform. The structs themselves are freed afterwards.
        unsafe {
            if let (Some(mut made), Some(destroy)) = (self.device_fns.take(), fns.destroy_device_fns) {
                destroy(platform, made.as_mut_ptr());
            }
            if let (Some(mut made), Some(destroy)) = (self.stream_executor.take(), fns.destroy_stream_executor) {
                destroy(platform, made.as_mut_ptr());
            }
            if let (Some(mut made), Some(destroy)) = (self.timer_fns.take(), fns.destroy_timer_fns) {
                destroy(platform, made.as_mut_ptr());
            }
            if let Some(destroy) = self.destroy_platform {
                destroy(self.platform.as_mut_ptr());
            }
            if let Some(destroy) = self.destroy_platform_fns {
                destroy(self.fns.as_mut_ptr());
            }
        }
    }
}

impl std::fmt::Debug for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Platform({} of {}, {} devices)", self.name, self.origin, self.device_count)
    }
}
