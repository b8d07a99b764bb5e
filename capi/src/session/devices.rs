//! `TF_DeviceList`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int};
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_DeviceList, TF_Session, TF_Status};
use oplink_api::Error;
use oplink_core::Device;
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete, with_status};

use super::session_of;
use crate::support::{c_count, c_string};

/// A device of a list.
#[derive(Debug)]
struct Listed {
    name: CString,
    device_type: CString,
    memory: i64,
    incarnation: u64,
}

/// What a `TF_DeviceList` is here.
#[derive(Debug)]
struct DeviceList(Vec<Listed>);

/// Devices in a list that the client deletes, by the names that it knows them by.
pub(crate) fn device_list(devices: &[Arc<dyn Device>], name: impl Fn(&str) -> String) -> *mut TF_DeviceList {
    let attributes = devices.iter().map(|device| device.attributes());
    let listed = attributes.map(|attributes| Listed {
        name: c_string(&name(&attributes.name)),
        device_type: c_string(&attributes.device_type),
        memory: i64::try_from(attributes.memory_limit).unwrap_or(i64::MAX),
        incarnation: attributes.incarnation,
    });
    Box::into_raw(Box::new(DeviceList(listed.collect()))).cast()
}

c_api! {
    /// The devices of a session.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_SessionListDevices(session: *mut TF_Session; status) -> (*mut TF_DeviceList = ptr::null_mut()) {
        // SAFETY: `session` is null or alive (Safety section).
        Ok(device_list(unsafe { session_of(session, NAME) }?.devices(), str::to_owned))
    }
}

/// Frees a list; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteDeviceList(list: *mut TF_DeviceList) {
    // SAFETY: `list` is null or a box that this library made and that the caller gives up.
    unsafe { delete(list.cast::<DeviceList>()) }
}

/// The number of devices; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeviceListCount(list: *const TF_DeviceList) -> c_int {
    // SAFETY: `list` is null or alive (Safety section).
    unsafe { list.cast::<DeviceList>().as_ref() }.map_or(0, |list| c_count(list.0.len()))
}

/// Tells one thing of one device.
///
/// # Safety
/// The handles are null or alive.
unsafe fn tell<T>(
    list: *const TF_DeviceList,
    index: c_int,
    function: &str,
    status: *mut TF_Status,
    fallback: T,
    tell: impl FnOnce(&Listed) -> T,
) -> T {
    with_status(status, function, fallback, || {
        // SAFETY: `list` is null or alive (Safety section).
        let list = unsafe { borrow(list.cast::<DeviceList>(), function, "list") }?;
        let device = usize::try_from(index).ok().and_then(|index| list.0.get(index));
        let count = list.0.len();
        let missing = || Error::invalid_argument(format!("{function}: there are {count} devices, none at {index}"));
        device.map(tell).ok_or_else(missing)
    })
}

/// The full name of a device, valid as long as the list; null where there is none.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeviceListName(
    list: *const TF_DeviceList,
    index: c_int,
    status: *mut TF_Status,
) -> *const c_char {
    // SAFETY: `list` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(list, index, "TF_DeviceListName", status, ptr::null(), |device| device.name.as_ptr()) }
}

/// The type of a device, valid as long as the list; null where there is none.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeviceListType(
    list: *const TF_DeviceList,
    index: c_int,
    status: *mut TF_Status,
) -> *const c_char {
    // SAFETY: `list` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(list, index, "TF_DeviceListType", status, ptr::null(), |device| device.device_type.as_ptr()) }
}

/// The memory of a device in bytes; -1 where there is none.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeviceListMemoryBytes(
    list: *const TF_DeviceList,
    index: c_int,
    status: *mut TF_Status,
) -> i64 {
    // SAFETY: `list` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(list, index, "TF_DeviceListMemoryBytes", status, -1, |device| device.memory) }
}

/// A number that tells devices of one name apart; 0 where there is none.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeviceListIncarnation(
    list: *const TF_DeviceList,
    index: c_int,
    status: *mut TF_Status,
) -> u64 {
    // SAFETY: `list` is null or alive and `status` is null or alive (Safety section).
    unsafe { tell(list, index, "TF_DeviceListIncarnation", status, 0, |device| device.incarnation) }
}
