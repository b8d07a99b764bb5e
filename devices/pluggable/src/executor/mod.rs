//! One device of a platform, as its plugin sees it, and the calls of the plugin's functions for it.
//!
//! Contract of this folder: the functions are those that the platform was checked to have, the device is one that the
//! plugin made, and handles (streams, events, timers, memory) are the plugin's for this device and not ended yet, which
//! the types that own them see to. The plugin takes calls from any thread, as TensorFlow makes them.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

mod copies;
mod events;
mod facts;
mod memory;
mod streams;
mod timers;

use std::sync::Arc;

use oplink_abi::{SE_CreateDeviceParams, SP_Device, SP_StreamExecutor};
use oplink_api::{Code, Error, ErrorKind, Result};

use crate::padded_struct::PaddedStruct;
use crate::platform::Platform;

pub(crate) use copies::Part;
pub(crate) use events::{Event, Progress};
pub use facts::Facts;
pub(crate) use memory::Pinned;
pub(crate) use streams::Stream;
pub(crate) use timers::Timer;

/// Calls a function of the plugin that reports to a status: `call!(self, function(arguments))`.
macro_rules! call {
    ($executor:expr, $function:ident($($argument:expr),*)) => {{
        let executor: &$crate::executor::Executor = $executor;
        match executor.functions().and_then(|functions| functions.$function) {
            Some(function) => executor
                .status()
                .call(|status| {
                    // SAFETY: the platform was checked to have the function; the device and the handles are the
                    // plugin's and not ended yet.
                    unsafe { function(executor.as_ptr(), $($argument,)* status) }
                })
                .map_err(|error| executor.failed(stringify!($function), &error)),
            None => Err(executor.absent(stringify!($function))),
        }
    }};
}
pub(crate) use call;

/// A device of a platform. Dropping it ends the device; everything made on the device holds it.
pub(crate) struct Executor {
    platform: Arc<Platform>,
    device: PaddedStruct<SP_Device>,
    name: String,
}

// SAFETY: the struct is changed while the device is made and ended only.
unsafe impl Send for Executor {}
// SAFETY: a shared struct is only read; the plugin takes calls from any thread.
unsafe impl Sync for Executor {}

impl Executor {
    /// Has the plugin make the device `ordinal`, which is number `index` of its type in this process.
    pub(crate) fn new(platform: Arc<Platform>, ordinal: i32, index: usize) -> Result<Arc<Self>> {
        let mut device = PaddedStruct::<SP_Device>::new();
        let mut params = SE_CreateDeviceParams { ordinal, device: device.as_mut_ptr(), ..SE_CreateDeviceParams::EMPTY };
        let name = format!("/job:localhost/replica:0/task:0/device:{}:{index}", platform.device_type());
        let failed = |error: Error| refused(&name, &platform, &error);
        if let Some(create) = platform.fns().create_device {
            let made = platform.status().call(|status| {
                // SAFETY: the plugin's platform, and structs that say their sizes.
                unsafe { create(platform.as_ptr(), &raw mut params, status) }
            });
            made.map_err(failed)?;
        }
        let mut executor = Self { platform, device, name };
        let checked = executor.device.checked(|_| Vec::new());
        checked.map_err(|error| refused(&executor.name, &executor.platform, &error))?;
        Ok(Arc::new(executor))
    }

    /// The device's full name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn platform(&self) -> &Arc<Platform> {
        &self.platform
    }

    fn as_ptr(&self) -> *const SP_Device {
        self.device.as_ptr()
    }

    fn functions(&self) -> Option<&SP_StreamExecutor> {
        self.platform.stream_executor()
    }

    fn status(&self) -> oplink_host::status::StatusFunctions {
        self.platform.status()
    }

    /// The error of a function that reports a failure: what failed, on which device, and what the plugin says.
    fn failed(&self, function: &str, error: &Error) -> Error {
        self.error(error.code(), format!("{function} failed: {error}"))
    }

    /// The error of a function that is not required and that the plugin does not have.
    fn absent(&self, function: &str) -> Error {
        let platform = self.platform.name();
        self.error(Code::Unimplemented, format!("the platform {platform} has no {function}"))
    }

    /// An error of this device.
    pub(crate) fn error(&self, code: Code, message: impl std::fmt::Display) -> Error {
        Error::new(code, ErrorKind::Device, format!("{}: {message}", self.name))
    }

    /// Waits for all work of the device: before it is ended, for nothing else.
    pub(crate) fn synchronize_all_activity(&self) -> Result<()> {
        call!(self, synchronize_all_activity())
    }
}

fn refused(name: &str, platform: &Platform, error: &Error) -> Error {
    let message = format!("{name}: the platform {} cannot make the device: {error}", platform.name());
    Error::new(error.code(), ErrorKind::PluginRejected, message)
}

impl Drop for Executor {
    fn drop(&mut self) {
        if let Some(destroy) = self.platform.fns().destroy_device {
            // SAFETY: made by the plugin, ended once; nothing made on the device is left.
            unsafe { destroy(self.platform.as_ptr(), self.device.as_mut_ptr()) }
        }
    }
}
