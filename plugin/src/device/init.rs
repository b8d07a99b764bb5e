//! `SE_InitPlugin`, and the functions that make and end devices.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::Arc;

use oplink_abi::{
    SE_CreateDeviceFnsParams, SE_CreateDeviceParams, SE_CreateStreamExecutorParams, SE_MAJOR, SE_MINOR, SE_PATCH,
    SE_PlatformRegistrationParams, SP_Device, SP_DeviceFns, SP_Platform, SP_PlatformFns, SP_StreamExecutor, SP_Timer,
    SP_TimerFns, TF_Status,
};
use oplink_api::{Error, Result, ensure};

use super::executor;
use super::handles::{self, DeviceHandle, PlatformHandle, hold, report};
use super::kernel_streams::KernelStreams;
use super::traits::{Device, Platform};
use crate::guard::silent;
use crate::status::c_string;

/// Registers a platform with the host.
///
/// # Safety
/// The host passes what `SE_InitPlugin` is declared to get.
pub unsafe fn init_platform<P: Platform>(params: *mut SE_PlatformRegistrationParams, status: *mut TF_Status) {
    // SAFETY: `params` is null or alive and `status` is null or alive (Safety section).
    unsafe { report::<P>("SE_InitPlugin", status, || fill::<P>(params)) }
}

/// Refuses a struct of the host that ends before what is read or written here.
fn check_size(name: &str, given: usize, needed: usize) -> Result<()> {
    if given >= needed {
        return Ok(());
    }
    Err(Error::unimplemented(format!(
        "the host's {name} has {given} bytes, the plugin needs {needed}: the host is older than version \
         {SE_MAJOR}.{SE_MINOR}.{SE_PATCH} of the device interface"
    )))
}

/// The struct at an address.
///
/// # Safety
/// Null, or a struct of the host that starts with its size.
unsafe fn sized<'a, T>(name: &str, at: *mut T, needed: usize) -> Result<&'a mut T> {
    ensure!(!at.is_null(), "the host gives no {name}: null");
    // SAFETY: the caller's contract; every struct of the interface starts with its size.
    check_size(name, unsafe { at.cast::<usize>().read() }, needed)?;
    // SAFETY: the caller's contract; it is long enough.
    Ok(unsafe { &mut *at })
}

unsafe fn fill<P: Platform>(params: *mut SE_PlatformRegistrationParams) -> Result<()> {
    // SAFETY: the host passes structs that start with their size.
    unsafe {
        let needed = SE_PlatformRegistrationParams::STRUCT_SIZE;
        let params = sized("SE_PlatformRegistrationParams", params, needed)?;
        let (major, minor, patch) = (params.major_version, params.minor_version, params.patch_version);
        if major != SE_MAJOR {
            return Err(Error::unimplemented(format!(
                "the host has version {major}.{minor}.{patch} of the device interface, the platform {} was built for \
                 {SE_MAJOR}.{SE_MINOR}.{SE_PATCH}",
                P::NAME
            )));
        }
        let platform = sized("SP_Platform", params.platform, SP_Platform::STRUCT_SIZE)?;
        let functions = sized("SP_PlatformFns", params.platform_fns, SP_PlatformFns::STRUCT_SIZE)?;
        fill_platform::<P>(platform, Arc::new(PlatformHandle::new(P::open()?)));
        *functions = platform_functions::<P>();
        params.destroy_platform = Some(destroy_platform::<P>);
        params.destroy_platform_fns = Some(destroy_platform_fns);
        Ok(())
    }
}

/// Sets the fields one by one: what lies behind the last one belongs to hosts that know more.
fn fill_platform<P: Platform>(platform: &mut SP_Platform, handle: Arc<PlatformHandle<P>>) {
    platform.struct_size = SP_Platform::STRUCT_SIZE;
    platform.name = handle.name.as_ptr();
    platform.kind = handle.kind.as_ptr();
    platform.supports_unified_memory = P::UNIFIED_MEMORY.into();
    platform.use_bfc_allocator = P::HOST_DIVIDES_MEMORY.into();
    platform.force_memory_growth = P::MEMORY_GROWS.into();
    platform.ext = Arc::into_raw(handle).cast_mut().cast();
}

fn platform_functions<P: Platform>() -> SP_PlatformFns {
    SP_PlatformFns {
        struct_size: SP_PlatformFns::STRUCT_SIZE,
        ext: ptr::null_mut(),
        get_device_count: Some(get_device_count::<P>),
        create_device: Some(create_device::<P>),
        destroy_device: Some(destroy_device::<P>),
        create_device_fns: Some(create_device_fns::<P>),
        destroy_device_fns: Some(destroy_device_fns),
        create_stream_executor: Some(create_stream_executor::<P>),
        destroy_stream_executor: Some(destroy_stream_executor),
        create_timer_fns: Some(create_timer_fns::<P>),
        destroy_timer_fns: Some(destroy_timer_fns),
    }
}

unsafe extern "C" fn destroy_platform<P: Platform>(platform: *mut SP_Platform) {
    // SAFETY: the host passes the struct that `fill_platform` filled, once; it is null afterwards.
    silent((), || unsafe {
        let Some(platform) = platform.as_mut().filter(|platform| !platform.ext.is_null()) else { return };
        let handle = std::mem::replace(&mut platform.ext, ptr::null_mut());
        (platform.name, platform.kind) = (ptr::null(), ptr::null());
        drop(Arc::from_raw(handle.cast::<PlatformHandle<P>>()));
    });
}

/// Nothing is held.
unsafe extern "C" fn destroy_platform_fns(_: *mut SP_PlatformFns) {}

unsafe extern "C" fn get_device_count<P: Platform>(
    platform: *const SP_Platform,
    count: *mut c_int,
    status: *mut TF_Status,
) {
    // SAFETY: the host passes its platform, and where the count goes.
    unsafe {
        report::<P>("get_device_count", status, || {
            ensure!(!count.is_null(), "the host gives no place for the number of devices: null");
            let devices = handles::platform::<P>(platform)?.platform.num_devices()?;
            *count = c_int::try_from(devices).map_err(|_| Error::internal(format!("{devices} devices")))?;
            Ok(())
        });
    }
}

unsafe extern "C" fn create_device<P: Platform>(
    platform: *const SP_Platform,
    params: *mut SE_CreateDeviceParams,
    status: *mut TF_Status,
) {
    // SAFETY: the host passes its platform, and structs that start with their size.
    unsafe {
        report::<P>("create_device", status, || {
            let params = sized("SE_CreateDeviceParams", params, SE_CreateDeviceParams::STRUCT_SIZE)?;
            let device = sized("SP_Device", params.device, SP_Device::STRUCT_SIZE)?;
            let handle = open_device(&hold(handles::platform::<P>(platform)?), params.ordinal)?;
            fill_device(device, params.ordinal, handle);
            Ok(())
        });
    }
}

fn open_device<P: Platform>(platform: &Arc<PlatformHandle<P>>, ordinal: i32) -> Result<DeviceHandle<P>> {
    let count = platform.platform.num_devices()?;
    let number = usize::try_from(ordinal).ok().filter(|number| *number < count);
    let number = number.ok_or_else(|| {
        Error::invalid_argument(format!("the host asks for device {ordinal} of {}, which has {count}", P::NAME))
    })?;
    let device = platform.platform.device(number)?;
    let description = device.description();
    let text = |text: &Option<String>| text.as_deref().map(c_string);
    Ok(DeviceHandle {
        device,
        hardware_name: text(&description.hardware_name),
        vendor: text(&description.vendor),
        pci_bus_id: text(&description.pci_bus_id),
        kernel_streams: KernelStreams::new(),
        platform: platform.clone(),
    })
}

fn fill_device<P: Platform>(device: &mut SP_Device, ordinal: i32, handle: DeviceHandle<P>) {
    let text = |text: &Option<CString>| text.as_ref().map_or(ptr::null::<c_char>(), |text| text.as_ptr());
    *device = SP_Device {
        ordinal,
        hardware_name: text(&handle.hardware_name),
        device_vendor: text(&handle.vendor),
        pci_bus_id: text(&handle.pci_bus_id),
        device_handle: Arc::into_raw(Arc::new(handle)).cast_mut().cast(),
        ..SP_Device::EMPTY
    };
}

unsafe extern "C" fn destroy_device<P: Platform>(_: *const SP_Platform, device: *mut SP_Device) {
    // SAFETY: the host passes the struct that `fill_device` filled, or a copy, once; it is empty afterwards.
    silent((), || unsafe {
        let Some(device) = device.as_mut().filter(|device| !device.device_handle.is_null()) else { return };
        let ended = std::mem::replace(device, SP_Device::EMPTY);
        drop(Arc::from_raw(ended.device_handle.cast::<DeviceHandle<P>>()));
    });
}

unsafe extern "C" fn create_device_fns<P: Platform>(
    _: *const SP_Platform,
    params: *mut SE_CreateDeviceFnsParams,
    status: *mut TF_Status,
) {
    // SAFETY: the host passes structs that start with their size.
    unsafe {
        report::<P>("create_device_fns", status, || {
            let params = sized("SE_CreateDeviceFnsParams", params, SE_CreateDeviceFnsParams::STRUCT_SIZE)?;
            *sized("SP_DeviceFns", params.device_fns, SP_DeviceFns::STRUCT_SIZE)? = SP_DeviceFns {
                struct_size: SP_DeviceFns::STRUCT_SIZE,
                ext: ptr::null_mut(),
                get_numa_node: Some(get_numa_node::<P>),
                get_memory_bandwidth: Some(get_memory_bandwidth::<P>),
                get_gflops: Some(get_gflops::<P>),
            };
            Ok(())
        });
    }
}

/// Nothing is held.
unsafe extern "C" fn destroy_device_fns(_: *const SP_Platform, _: *mut SP_DeviceFns) {}

unsafe extern "C" fn get_numa_node<P: Platform>(device: *const SP_Device) -> i32 {
    // SAFETY: the host passes its device.
    silent(-1, || unsafe {
        handles::device::<P>(device).ok().and_then(|d| d.device.facts().numa_node).map_or(-1, i32::from)
    })
}

unsafe extern "C" fn get_memory_bandwidth<P: Platform>(device: *const SP_Device) -> i64 {
    // SAFETY: the host passes its device.
    silent(-1, || unsafe {
        handles::device::<P>(device).ok().and_then(|d| d.device.facts().memory_bandwidth).map_or(-1, |rate| rate as i64)
    })
}

unsafe extern "C" fn get_gflops<P: Platform>(device: *const SP_Device) -> f64 {
    // SAFETY: the host passes its device.
    silent(-1.0, || unsafe { handles::device::<P>(device).ok().and_then(|d| d.device.facts().gflops).unwrap_or(-1.0) })
}

unsafe extern "C" fn create_stream_executor<P: Platform>(
    _: *const SP_Platform,
    params: *mut SE_CreateStreamExecutorParams,
    status: *mut TF_Status,
) {
    // SAFETY: the host passes structs that start with their size.
    unsafe {
        report::<P>("create_stream_executor", status, || {
            let needed = SE_CreateStreamExecutorParams::STRUCT_SIZE;
            let params = sized("SE_CreateStreamExecutorParams", params, needed)?;
            let needed = SP_StreamExecutor::STRUCT_SIZE;
            *sized("SP_StreamExecutor", params.stream_executor, needed)? = executor::functions::<P>();
            Ok(())
        });
    }
}

/// Nothing is held.
unsafe extern "C" fn destroy_stream_executor(_: *const SP_Platform, _: *mut SP_StreamExecutor) {}

unsafe extern "C" fn create_timer_fns<P: Platform>(
    _: *const SP_Platform,
    functions: *mut SP_TimerFns,
    status: *mut TF_Status,
) {
    // SAFETY: the host passes a struct that starts with its size.
    unsafe {
        report::<P>("create_timer_fns", status, || {
            *sized("SP_TimerFns", functions, SP_TimerFns::STRUCT_SIZE)? = SP_TimerFns {
                struct_size: SP_TimerFns::STRUCT_SIZE,
                ext: ptr::null_mut(),
                nanoseconds: Some(nanoseconds::<P>),
            };
            Ok(())
        });
    }
}

/// Nothing is held.
unsafe extern "C" fn destroy_timer_fns(_: *const SP_Platform, _: *mut SP_TimerFns) {}

unsafe extern "C" fn nanoseconds<P: Platform>(timer: SP_Timer) -> u64 {
    // SAFETY: the host passes a timer of this platform.
    silent(0, || unsafe { handles::timer::<P>(timer).map_or(0, |timer| timer.device.device.nanoseconds(&timer.value)) })
}
