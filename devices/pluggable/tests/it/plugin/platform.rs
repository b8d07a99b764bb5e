//! The platform's callbacks.

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use oplink_abi::*;

use super::{NEXT, World, device};

/// Fails as the test wants; true where it does.
pub(super) unsafe fn fails(world: &World, function: &'static str, status: *mut TF_Status) -> bool {
    world.called(function);
    let Some(code) = world.next_failure(function) else { return false };
    let message = std::ffi::CString::new(format!("{function} was told to fail")).unwrap();
    // SAFETY: the host's status.
    unsafe { oplink_host::status::TF_SetStatus(status, code, message.as_ptr()) };
    true
}

unsafe fn world_of<'a>(platform: *const SP_Platform) -> &'a World {
    // SAFETY: set in `init`; the platform holds the world until it is destroyed.
    unsafe { &*(*platform).ext.cast::<World>() }
}

/// Clears the fields that the world leaves out, and tells the size that it wants.
macro_rules! finish {
    ($world:expr, $value:expr, $struct:ident: $($field:ident)*) => {
        $(if $world.omitted.contains(stringify!($field)) { $value.$field = None; })*
        if let Some(size) = $world.sizes.get(stringify!($struct)) { $value.struct_size = *size; }
    };
}
pub(super) use finish;

/// `SE_InitPlugin`.
pub(crate) unsafe extern "C" fn init(params: *mut SE_PlatformRegistrationParams, status: *mut TF_Status) {
    let world = NEXT.with_borrow(Clone::clone).expect("a world");
    // SAFETY: the host's structs, as long as they say, with room behind.
    unsafe {
        assert_eq!((*params).struct_size, SE_PlatformRegistrationParams::STRUCT_SIZE);
        assert_eq!(((*params).major_version, (*params).minor_version, (*params).patch_version), (0, 0, 1));
        assert_eq!((*(*params).platform).struct_size, SP_Platform::STRUCT_SIZE);
        if fails(&world, "init", status) {
            return;
        }
        (*params).major_version = world.major_version;
        let mut platform = SP_Platform {
            name: world.name.as_ptr(),
            kind: world.device_type.as_ptr(),
            supports_unified_memory: u8::from(world.has_unified_memory),
            use_bfc_allocator: u8::from(world.divides_memory),
            ext: Arc::into_raw(world.clone()).cast_mut().cast::<c_void>(),
            ..SP_Platform::EMPTY
        };
        if world.omitted.contains("name") {
            platform.name = std::ptr::null();
        }
        if world.omitted.contains("type") {
            platform.kind = std::ptr::null();
        }
        finish!(world, platform, SP_Platform:);
        *(*params).platform = platform;
        let mut fns = SP_PlatformFns {
            get_device_count: Some(get_device_count),
            create_device: Some(create_device),
            destroy_device: Some(destroy_device),
            create_device_fns: Some(create_device_fns),
            destroy_device_fns: Some(destroy_device_fns),
            create_stream_executor: Some(create_stream_executor),
            destroy_stream_executor: Some(destroy_stream_executor),
            create_timer_fns: Some(create_timer_fns),
            destroy_timer_fns: Some(destroy_timer_fns),
            ..SP_PlatformFns::EMPTY
        };
        finish!(world, fns, SP_PlatformFns: get_device_count create_device destroy_device create_device_fns
            destroy_device_fns create_stream_executor destroy_stream_executor create_timer_fns destroy_timer_fns);
        *(*params).platform_fns = fns;
        (*params).destroy_platform = Some(destroy_platform);
        (*params).destroy_platform_fns = Some(destroy_platform_fns);
        let params = &mut *params;
        finish!(world, params, SE_PlatformRegistrationParams: destroy_platform destroy_platform_fns);
        if params.destroy_platform.is_some() {
            world.made("platform");
        } else {
            drop(Arc::from_raw((*params.platform).ext.cast::<World>()));
        }
        if params.destroy_platform_fns.is_some() {
            world.made("platform_fns");
        }
        PLATFORM_FNS_WORLD.set(Some(world.clone()));
    }
}

thread_local! {
    /// The world whose `destroy_platform_fns` comes next on this thread: the function gets no platform.
    static PLATFORM_FNS_WORLD: std::cell::RefCell<Option<Arc<World>>> = const { std::cell::RefCell::new(None) };
}

unsafe extern "C" fn destroy_platform(platform: *mut SP_Platform) {
    // SAFETY: `init` leaked it.
    let world = unsafe { Arc::from_raw((*platform).ext.cast::<World>()) };
    world.ended("platform");
    PLATFORM_FNS_WORLD.set(Some(world));
}

unsafe extern "C" fn destroy_platform_fns(_: *mut SP_PlatformFns) {
    if let Some(world) = PLATFORM_FNS_WORLD.take() {
        world.ended("platform_fns");
    }
}

unsafe extern "C" fn get_device_count(platform: *const SP_Platform, count: *mut c_int, status: *mut TF_Status) {
    // SAFETY: the platform is that of `init`; the count is writable, the status alive.
    unsafe {
        let world = world_of(platform);
        if !fails(world, "get_device_count", status) {
            *count = world.device_count;
        }
    }
}

/// What a device's handle points to.
pub(super) struct Own {
    pub(super) world: Arc<World>,
}

unsafe extern "C" fn create_device(
    platform: *const SP_Platform,
    params: *mut SE_CreateDeviceParams,
    status: *mut TF_Status,
) {
    // SAFETY: the platform is that of `init`; the struct of the parameters is writable, the status alive.
    unsafe {
        let world = world_of(platform);
        if fails(world, "create_device", status) {
            return;
        }
        Arc::increment_strong_count(std::ptr::from_ref(world));
        let own = Box::new(Own { world: Arc::from_raw(world) });
        let mut device = SP_Device {
            ordinal: (*params).ordinal,
            device_handle: Box::into_raw(own).cast(),
            hardware_name: c"Test Device".as_ptr(),
            device_vendor: c"Nobody".as_ptr(),
            pci_bus_id: c"0000:00:02.1".as_ptr(),
            ..SP_Device::EMPTY
        };
        finish!(world, device, SP_Device:);
        *(*params).device = device;
        world.made("device");
    }
}

unsafe extern "C" fn destroy_device(platform: *const SP_Platform, device: *mut SP_Device) {
    // SAFETY: the host's arguments; `create_device` made the handle.
    unsafe {
        let world = world_of(platform);
        drop(Box::from_raw((*device).device_handle.cast::<Own>()));
        world.ended("device");
    }
}

unsafe extern "C" fn create_device_fns(
    platform: *const SP_Platform,
    params: *mut SE_CreateDeviceFnsParams,
    status: *mut TF_Status,
) {
    // SAFETY: the platform is that of `init`; the struct of the parameters is writable, the status alive.
    unsafe {
        let world = world_of(platform);
        if fails(world, "create_device_fns", status) {
            return;
        }
        let mut fns = device::facts();
        finish!(world, fns, SP_DeviceFns: get_numa_node get_memory_bandwidth get_gflops);
        *(*params).device_fns = fns;
        world.made("device_fns");
    }
}

unsafe extern "C" fn destroy_device_fns(platform: *const SP_Platform, _: *mut SP_DeviceFns) {
    // SAFETY: the platform is that of `init`.
    unsafe { world_of(platform) }.ended("device_fns");
}

unsafe extern "C" fn create_stream_executor(
    platform: *const SP_Platform,
    params: *mut SE_CreateStreamExecutorParams,
    status: *mut TF_Status,
) {
    // SAFETY: the platform is that of `init`; the struct of the parameters is writable, the status alive.
    unsafe {
        let world = world_of(platform);
        if fails(world, "create_stream_executor", status) {
            return;
        }
        *(*params).stream_executor = device::functions(world);
        world.made("stream_executor");
    }
}

unsafe extern "C" fn destroy_stream_executor(platform: *const SP_Platform, _: *mut SP_StreamExecutor) {
    // SAFETY: the platform is that of `init`.
    unsafe { world_of(platform) }.ended("stream_executor");
}

unsafe extern "C" fn create_timer_fns(platform: *const SP_Platform, fns: *mut SP_TimerFns, status: *mut TF_Status) {
    // SAFETY: the platform is that of `init`; the struct is writable, the status alive.
    unsafe {
        let world = world_of(platform);
        if fails(world, "create_timer_fns", status) {
            return;
        }
        let mut made = device::timer_fns();
        finish!(world, made, SP_TimerFns: nanoseconds);
        *fns = made;
        world.made("timer_fns");
    }
}

unsafe extern "C" fn destroy_timer_fns(platform: *const SP_Platform, _: *mut SP_TimerFns) {
    // SAFETY: the platform is that of `init`.
    unsafe { world_of(platform) }.ended("timer_fns");
}
