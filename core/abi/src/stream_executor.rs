//! Devices from plugins: the structs that host and plugin fill for each other, and the functions in them.
//!
//! `struct_size` is set by the side that makes a struct, to its `STRUCT_SIZE`: the bytes up to the end of its last
//! field, as in C, which for [`SP_Platform`] is less than the struct's size. The other side reads fields only as far as
//! that reaches. `ext` is for extensions and null.

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

use crate::{SP_Event_st, SP_Stream_st, SP_Timer_st, TF_Bool, TF_Status};

/// Version of these declarations, which hosts and plugins tell each other: the first number.
pub const SE_MAJOR: i32 = 0;
/// The second number.
pub const SE_MINOR: i32 = 0;
/// The third number.
pub const SE_PATCH: i32 = 1;

/// The name of the function that a plugin with a device exports, of type [`InitPluginFn`].
pub const INIT_PLUGIN_SYMBOL: &std::ffi::CStr = c"SE_InitPlugin";

/// Fills what the host passes; a status other than OK is a refusal.
pub type InitPluginFn = unsafe extern "C" fn(*mut SE_PlatformRegistrationParams, *mut TF_Status);

/// A stream of the plugin.
pub type SP_Stream = *mut SP_Stream_st;
/// An event of the plugin.
pub type SP_Event = *mut SP_Event_st;
/// A timer of the plugin.
pub type SP_Timer = *mut SP_Timer_st;

/// Called on the host when a stream reaches it, with what was given with it and a status of the plugin's.
pub type SE_StatusCallbackFn = Option<unsafe extern "C" fn(*mut c_void, *mut TF_Status)>;

/// How far an event is; see [`event_status`].
pub type SE_EventStatus = c_int;

/// The values of [`SE_EventStatus`].
pub mod event_status {
    use super::SE_EventStatus;

    /// Nothing is known: an error.
    pub const UNKNOWN: SE_EventStatus = 0;
    /// The work before the event failed.
    pub const ERROR: SE_EventStatus = 1;
    /// The work before the event goes on.
    pub const PENDING: SE_EventStatus = 2;
    /// The work before the event is done.
    pub const COMPLETE: SE_EventStatus = 3;
}

/// What a field is that is not set.
trait Absent {
    const ABSENT: Self;
}

macro_rules! absent {
    ($($ty:ty = $value:expr),*) => { $(impl Absent for $ty { const ABSENT: Self = $value; })* };
}
absent!(i8 = 0, u8 = 0, i32 = 0, i64 = 0, u64 = 0);

impl<T> Absent for *const T {
    const ABSENT: Self = std::ptr::null();
}

impl<T> Absent for *mut T {
    const ABSENT: Self = std::ptr::null_mut();
}

impl<T> Absent for Option<T> {
    const ABSENT: Self = None;
}

macro_rules! sized_structs {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            /// Bytes of this struct that its maker knows.
            pub struct_size: usize,
            $($(#[$field_doc])* pub $field: $ty,)*
        }

        impl $name {
            /// Bytes up to the end of the last field.
            pub const STRUCT_SIZE: usize = {
                let ends = [$(offset_of!($name, $field) + size_of::<$ty>()),*];
                ends[ends.len() - 1]
            };

            /// One with nothing set but its size.
            pub const EMPTY: Self = Self { struct_size: Self::STRUCT_SIZE, $($field: <$ty as Absent>::ABSENT,)* };
        }
    )*};
}

/// A function of the other side.
macro_rules! callback {
    (($($argument:ty),*) $(-> $result:ty)?) => { Option<unsafe extern "C" fn($($argument),*) $(-> $result)?> };
}

type Device = *const SP_Device;
type Memory = *mut SP_DeviceMemoryBase;
type ConstMemory = *const SP_DeviceMemoryBase;
type Status = *mut TF_Status;

sized_structs! {
    /// What timers can tell.
    SP_TimerFns {
        /// For extensions.
        ext: *mut c_void,
        /// From start to stop.
        nanoseconds: callback!((SP_Timer) -> u64),
    }

    /// What a device's allocator tells; limits hold only where their `has` is not 0.
    SP_AllocatorStats {
        /// Allocations so far.
        num_allocs: i64,
        /// Bytes given out now.
        bytes_in_use: i64,
        /// Most bytes given out at a time.
        peak_bytes_in_use: i64,
        /// Bytes of the largest allocation so far.
        largest_alloc_size: i64,
        /// Whether there is a limit.
        has_bytes_limit: i8,
        /// Bytes that can be given out.
        bytes_limit: i64,
        /// Bytes taken from the system.
        bytes_reserved: i64,
        /// Most bytes taken from the system at a time.
        peak_bytes_reserved: i64,
        /// Whether there is a limit of what is taken from the system.
        has_bytes_reservable_limit: i8,
        /// Bytes that can be taken from the system.
        bytes_reservable_limit: i64,
        /// Bytes of the largest free block.
        largest_free_block_bytes: i64,
    }

    /// Memory of a device.
    SP_DeviceMemoryBase {
        /// For extensions.
        ext: *mut c_void,
        /// The plugin's value for it; null for none. Hosts add offsets to it and do not read behind it.
        opaque: *mut c_void,
        /// Bytes.
        size: u64,
        /// For the plugin.
        payload: u64,
    }

    /// A device.
    SP_Device {
        /// For the plugin.
        ext: *mut c_void,
        /// Its number on its platform.
        ordinal: i32,
        /// For the plugin.
        device_handle: *mut c_void,
        /// What it is; null where that is not told.
        hardware_name: *const c_char,
        /// Who made it; null where that is not told.
        device_vendor: *const c_char,
        /// Where it is on the PCI bus; null where that is not told.
        pci_bus_id: *const c_char,
    }

    /// What a device is made from.
    SE_CreateDeviceParams {
        /// For extensions.
        ext: *mut c_void,
        /// Which device.
        ordinal: i32,
        /// Filled by the plugin.
        device: *mut SP_Device,
    }

    /// Facts of a device; each may be absent, and a negative answer says that the fact is unknown.
    SP_DeviceFns {
        /// For extensions.
        ext: *mut c_void,
        /// The memory node that it is near.
        get_numa_node: callback!((Device) -> i32),
        /// Bytes a second of its own memory.
        get_memory_bandwidth: callback!((Device) -> i64),
        /// Operations of floating point a second, in units of 10^9.
        get_gflops: callback!((Device) -> f64),
    }

    /// Where the facts of a device are put.
    SE_CreateDeviceFnsParams {
        /// For extensions.
        ext: *mut c_void,
        /// Filled by the plugin.
        device_fns: *mut SP_DeviceFns,
    }

    /// What a device can do. All are required but where it is said.
    SP_StreamExecutor {
        /// For extensions.
        ext: *mut c_void,
        /// Gives memory of this many bytes; a failure leaves `opaque` null.
        allocate: callback!((Device, u64, i64, Memory)),
        /// Takes memory back; null is allowed.
        deallocate: callback!((Device, Memory)),
        /// Gives memory of the host that asynchronous copies can use; null for a failure.
        host_memory_allocate: callback!((Device, u64) -> *mut c_void),
        /// Takes it back.
        host_memory_deallocate: callback!((Device, *mut c_void)),
        /// Gives memory that host and device see; required where the platform says that it has such.
        unified_memory_allocate: callback!((Device, u64) -> *mut c_void),
        /// Takes it back; required where the platform says that it has such.
        unified_memory_deallocate: callback!((Device, *mut c_void)),
        /// Tells of the allocator; false where nothing can be told.
        get_allocator_stats: callback!((Device, *mut SP_AllocatorStats) -> TF_Bool),
        /// Tells free and total bytes; false where nothing can be told.
        device_memory_usage: callback!((Device, *mut i64, *mut i64) -> TF_Bool),
        /// Makes a stream: a queue of work that is done in order.
        create_stream: callback!((Device, *mut SP_Stream, Status)),
        /// Ends a stream.
        destroy_stream: callback!((Device, SP_Stream)),
        /// Makes the first stream wait for what the second has been given so far.
        create_stream_dependency: callback!((Device, SP_Stream, SP_Stream, Status)),
        /// Tells whether a stream failed, without waiting.
        get_stream_status: callback!((Device, SP_Stream, Status)),
        /// Makes an event.
        create_event: callback!((Device, *mut SP_Event, Status)),
        /// Ends an event.
        destroy_event: callback!((Device, SP_Event)),
        /// Tells how far an event is, without waiting.
        get_event_status: callback!((Device, SP_Event) -> SE_EventStatus),
        /// Puts an event at the end of a stream.
        record_event: callback!((Device, SP_Stream, SP_Event, Status)),
        /// Makes a stream wait for an event.
        wait_for_event: callback!((Device, SP_Stream, SP_Event, Status)),
        /// Makes a timer.
        create_timer: callback!((Device, *mut SP_Timer, Status)),
        /// Ends a timer.
        destroy_timer: callback!((Device, SP_Timer)),
        /// Starts a timer when a stream gets there.
        start_timer: callback!((Device, SP_Stream, SP_Timer, Status)),
        /// Stops a timer when a stream gets there.
        stop_timer: callback!((Device, SP_Stream, SP_Timer, Status)),
        /// Copies from the device to the host, in a stream.
        memcpy_dtoh: callback!((Device, SP_Stream, *mut c_void, ConstMemory, u64, Status)),
        /// Copies from the host to the device, in a stream.
        memcpy_htod: callback!((Device, SP_Stream, Memory, *const c_void, u64, Status)),
        /// Copies in the device, in a stream.
        memcpy_dtod: callback!((Device, SP_Stream, Memory, ConstMemory, u64, Status)),
        /// Copies from the device to the host, done on return.
        sync_memcpy_dtoh: callback!((Device, *mut c_void, ConstMemory, u64, Status)),
        /// Copies from the host to the device, done on return.
        sync_memcpy_htod: callback!((Device, Memory, *const c_void, u64, Status)),
        /// Copies in the device, done on return.
        sync_memcpy_dtod: callback!((Device, Memory, ConstMemory, u64, Status)),
        /// Waits on the host for an event.
        block_host_for_event: callback!((Device, SP_Event, Status)),
        /// Waits on the host for what a stream has been given so far; may be absent, then hosts use an event.
        block_host_until_done: callback!((Device, SP_Stream, Status)),
        /// Waits on the host for all that the device has been given so far.
        synchronize_all_activity: callback!((Device, Status)),
        /// Sets bytes to 0, in a stream.
        mem_zero: callback!((Device, SP_Stream, Memory, u64, Status)),
        /// Sets bytes to a pattern of one byte, in a stream.
        memset: callback!((Device, SP_Stream, Memory, u8, u64, Status)),
        /// Sets bytes to a pattern of four bytes, in a stream.
        memset32: callback!((Device, SP_Stream, Memory, u32, u64, Status)),
        /// Calls back when a stream gets there; false where it cannot.
        host_callback: callback!((Device, SP_Stream, SE_StatusCallbackFn, *mut c_void) -> TF_Bool),
    }

    /// Where the functions of a device are put.
    SE_CreateStreamExecutorParams {
        /// For extensions.
        ext: *mut c_void,
        /// Filled by the plugin.
        stream_executor: *mut SP_StreamExecutor,
    }

    /// A kind of device.
    SP_Platform {
        /// For the plugin.
        ext: *mut c_void,
        /// Its name: capital letters and underscores.
        name: *const c_char,
        /// The device type by which programs ask for it: capital letters and underscores. C's name is `type`.
        kind: *const c_char,
        /// Whether there is memory that host and all devices see.
        supports_unified_memory: TF_Bool,
        /// Whether the host shall divide large blocks of the device's memory itself.
        use_bfc_allocator: TF_Bool,
        /// Whether memory is to be taken as it is needed, whatever the program asks.
        force_memory_growth: TF_Bool,
    }

    /// How devices of a platform are made and ended. All are required.
    SP_PlatformFns {
        /// For extensions.
        ext: *mut c_void,
        /// Tells how many devices there are.
        get_device_count: callback!((*const SP_Platform, *mut c_int, Status)),
        /// Fills a device.
        create_device: callback!((*const SP_Platform, *mut SE_CreateDeviceParams, Status)),
        /// Ends what a device holds; the struct is the host's.
        destroy_device: callback!((*const SP_Platform, *mut SP_Device)),
        /// Fills the facts of devices.
        create_device_fns: callback!((*const SP_Platform, *mut SE_CreateDeviceFnsParams, Status)),
        /// Ends what they hold; the struct is the host's.
        destroy_device_fns: callback!((*const SP_Platform, *mut SP_DeviceFns)),
        /// Fills the functions of devices.
        create_stream_executor: callback!((*const SP_Platform, *mut SE_CreateStreamExecutorParams, Status)),
        /// Ends what they hold; the struct is the host's.
        destroy_stream_executor: callback!((*const SP_Platform, *mut SP_StreamExecutor)),
        /// Fills what timers can tell.
        create_timer_fns: callback!((*const SP_Platform, *mut SP_TimerFns, Status)),
        /// Ends what they hold; the struct is the host's.
        destroy_timer_fns: callback!((*const SP_Platform, *mut SP_TimerFns)),
    }

    /// What a plugin registers its platform with: the host sets sizes and memory, the plugin everything else.
    SE_PlatformRegistrationParams {
        /// For extensions.
        ext: *mut c_void,
        /// [`SE_MAJOR`] of the host.
        major_version: i32,
        /// [`SE_MINOR`] of the host.
        minor_version: i32,
        /// [`SE_PATCH`] of the host.
        patch_version: i32,
        /// Filled by the plugin.
        platform: *mut SP_Platform,
        /// Filled by the plugin.
        platform_fns: *mut SP_PlatformFns,
        /// Set by the plugin: ends what the platform holds; the struct is the host's.
        destroy_platform: callback!((*mut SP_Platform)),
        /// Set by the plugin: ends what the functions hold; the struct is the host's.
        destroy_platform_fns: callback!((*mut SP_PlatformFns)),
    }
}

const _: () = assert!(SP_StreamExecutor::STRUCT_SIZE == 288 && SP_PlatformFns::STRUCT_SIZE == 88);
const _: () = assert!(SP_Platform::STRUCT_SIZE == 35 && SE_PlatformRegistrationParams::STRUCT_SIZE == 64);
