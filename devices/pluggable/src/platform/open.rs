//! How a platform is made: step by step, each step checked; what was made when a step fails is ended again.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::ffi::{CStr, c_char};

use oplink_abi::{
    InitPluginFn, SE_CreateDeviceFnsParams, SE_CreateStreamExecutorParams, SE_MAJOR, SE_MINOR, SE_PATCH, SP_DeviceFns,
    SP_StreamExecutor,
};

use super::*;
use crate::refusal::{Field, callbacks, check, check_name, rejected};

impl Platform {
    /// Has a library register its platform. No device is made yet.
    ///
    /// # Errors
    /// Of kind `PluginRejected`: the library's own; a struct that is too short or lacks a required callback, each of
    /// which is named; a name that is none. Nothing of the library is in use then.
    ///
    /// # Safety
    /// `init` is the function that a mapped library exports as `SE_InitPlugin`, and the library stays mapped; `status`
    /// makes what the library's calls of `TF_SetStatus` take.
    pub unsafe fn open(init: InitPluginFn, status: StatusFunctions, origin: &str) -> Result<Arc<Self>> {
        // SAFETY: `init` is what a library that stays mapped exports as `SE_InitPlugin`; `status` makes what its
        // `TF_SetStatus` takes.
        let mut platform = unsafe { Self::register(init, status, origin) }?;
        platform.check_registration()?;
        platform.create_device_fns()?;
        platform.create_stream_executor()?;
        platform.create_timer_fns()?;
        platform.count_devices()?;
        Ok(Arc::new(platform))
    }

    unsafe fn register(init: InitPluginFn, status: StatusFunctions, origin: &str) -> Result<Self> {
        let (mut platform, mut fns) = (PaddedStruct::<SP_Platform>::new(), PaddedStruct::<SP_PlatformFns>::new());
        let mut params = PaddedStruct::<SE_PlatformRegistrationParams>::new();
        params.major_version = SE_MAJOR;
        params.minor_version = SE_MINOR;
        params.patch_version = SE_PATCH;
        (params.platform, params.platform_fns) = (platform.as_mut_ptr(), fns.as_mut_ptr());
        status
            .call(|status| {
                // SAFETY: the ABI has hosts call it once, with structs that say their sizes.
                unsafe { init(params.as_mut_ptr(), status) }
            })
            .map_err(|error| rejected(format!("its SE_InitPlugin failed: {error}")))?;
        let made = Self {
            name: String::new(),
            device_type: String::new(),
            origin: origin.to_owned(),
            device_count: 0,
            status,
            platform,
            fns,
            destroy_platform: params.destroy_platform,
            destroy_platform_fns: params.destroy_platform_fns,
            device_fns: None,
            stream_executor: None,
            timer_fns: None,
        };
        if params.major_version != SE_MAJOR {
            return Err(rejected(format!(
                "its StreamExecutor interface is of version {}.{}.{}, this host has {SE_MAJOR}.{SE_MINOR}.{SE_PATCH}",
                params.major_version, params.minor_version, params.patch_version
            )));
        }
        check(&*params, &callbacks!(params, SE_PlatformRegistrationParams: destroy_platform destroy_platform_fns))?;
        Ok(made)
    }

    fn check_registration(&mut self) -> Result<()> {
        let platform = &*self.platform;
        let text = |name: &'static str, value: *const c_char, end: usize| Field { name, end, is_set: !value.is_null() };
        let end = |offset: usize| offset + size_of::<*const c_char>();
        check(
            platform,
            &[
                text("name", platform.name, end(std::mem::offset_of!(SP_Platform, name))),
                text("type", platform.kind, end(std::mem::offset_of!(SP_Platform, kind))),
            ],
        )?;
        // SAFETY: not null; terminated texts that outlive the platform, by the ABI.
        (self.name, self.device_type) = unsafe { (owned(platform.name), owned(platform.kind)) };
        check_name("name", &self.name)?;
        check_name("type", &self.device_type)?;
        self.platform.forget_beyond_size();
        let fns = &*self.fns;
        check(
            fns,
            &callbacks!(fns, SP_PlatformFns: get_device_count create_device destroy_device create_device_fns
                destroy_device_fns create_stream_executor destroy_stream_executor),
        )?;
        self.fns.forget_beyond_size();
        Ok(())
    }

    fn failed(&self, function: &str, error: &oplink_api::Error) -> oplink_api::Error {
        rejected(format!("its platform {}: {function} failed: {error}", self.name))
    }

    fn create_device_fns(&mut self) -> Result<()> {
        let Some(create) = self.fns.create_device_fns else { return Ok(()) };
        let mut made = PaddedStruct::<SP_DeviceFns>::new();
        let mut params = SE_CreateDeviceFnsParams { device_fns: made.as_mut_ptr(), ..SE_CreateDeviceFnsParams::EMPTY };
        self.status
            .call(|status| {
                // SAFETY: the plugin's platform, and structs that say their sizes.
                unsafe { create(self.platform.as_ptr(), &raw mut params, status) }
            })
            .map_err(|error| self.failed("create_device_fns", &error))?;
        self.device_fns.insert(made).checked(|_| Vec::new())
    }

    fn create_stream_executor(&mut self) -> Result<()> {
        let Some(create) = self.fns.create_stream_executor else { return Ok(()) };
        let mut made = PaddedStruct::<SP_StreamExecutor>::new();
        let mut params = SE_CreateStreamExecutorParams {
            stream_executor: made.as_mut_ptr(),
            ..SE_CreateStreamExecutorParams::EMPTY
        };
        self.status
            .call(|status| {
                // SAFETY: the plugin's platform, and structs that say their sizes.
                unsafe { create(self.platform.as_ptr(), &raw mut params, status) }
            })
            .map_err(|error| self.failed("create_stream_executor", &error))?;
        let unified = self.has_unified_memory();
        self.stream_executor.insert(made).checked(|made| required(made, unified))
    }

    /// Timers are not asked for by TensorFlow: a plugin without them is one without timers.
    fn create_timer_fns(&mut self) -> Result<()> {
        let (Some(create), Some(_)) = (self.fns.create_timer_fns, self.fns.destroy_timer_fns) else { return Ok(()) };
        let mut made = PaddedStruct::<SP_TimerFns>::new();
        self.status
            .call(|status| {
                // SAFETY: the plugin's platform, and a struct that says its size.
                unsafe { create(self.platform.as_ptr(), made.as_mut_ptr(), status) }
            })
            .map_err(|error| self.failed("create_timer_fns", &error))?;
        self.timer_fns.insert(made).checked(|made| callbacks!(made, SP_TimerFns: nanoseconds).into())
    }

    fn count_devices(&mut self) -> Result<()> {
        let Some(count_devices) = self.fns.get_device_count else { return Ok(()) };
        let mut count: c_int = 0;
        self.status
            .call(|status| {
                // SAFETY: the plugin's platform; the count is writable.
                unsafe { count_devices(self.platform.as_ptr(), &raw mut count, status) }
            })
            .map_err(|error| self.failed("get_device_count", &error))?;
        self.device_count = usize::try_from(count)
            .map_err(|_| rejected(format!("its platform {} tells of {count} devices", self.name)))?;
        Ok(())
    }
}

/// What a device must be able to do: what TensorFlow asks for, and a way to copy within the device.
fn required(made: &SP_StreamExecutor, unified: bool) -> Vec<Field> {
    let mut fields =
        Vec::from(callbacks!(made, SP_StreamExecutor: allocate deallocate host_memory_allocate host_memory_deallocate
        get_allocator_stats device_memory_usage create_stream destroy_stream create_stream_dependency get_stream_status
        create_event destroy_event get_event_status record_event wait_for_event memcpy_dtoh memcpy_htod sync_memcpy_dtoh
        sync_memcpy_htod block_host_for_event synchronize_all_activity mem_zero memset memset32 host_callback));
    if unified {
        fields.extend(callbacks!(made, SP_StreamExecutor: unified_memory_allocate unified_memory_deallocate));
    }
    if made.sync_memcpy_dtod.is_none() {
        fields.extend(callbacks!(made, SP_StreamExecutor: memcpy_dtod));
    }
    fields
}

/// # Safety
/// A terminated text.
unsafe fn owned(text: *const c_char) -> String {
    // SAFETY: `text` is terminated.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
