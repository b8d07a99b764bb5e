//! Functions by which a program that loaded the plugin drives the devices. They are found by their names.
#![allow(unsafe_code, reason = "room: the C interface")]

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

pub use crate::counters::SimCounters;
use crate::counters::{COUNTERS, MOST_DEVICES};
use crate::faults::{self, Fault, Plan};

/// Plans a fault: after `skip` occasions it strikes at the next `times` (0 for all), on a device or, with -1, on any.
/// Returns 0, and -1 where no fault has the name.
///
/// # Safety
/// The name is null or ended by a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oplink_sim_set_fault(name: *const c_char, device: c_int, skip: u64, times: u64) -> c_int {
    if name.is_null() {
        return -1;
    }
    // SAFETY: the name is not null, so it is ended by a zero.
    let name = unsafe { CStr::from_ptr(name) };
    let Some(fault) = Fault::ALL.iter().find(|fault| fault.c_name() == name) else { return -1 };
    let times = if times == 0 { u64::MAX } else { times };
    faults::plan(*fault, Plan { device: usize::try_from(device).ok(), skip, times });
    0
}

/// Ends all faults; streams that hang go on.
#[unsafe(no_mangle)]
pub extern "C" fn oplink_sim_clear_faults() {
    faults::clear();
}

/// The name of a fault by its number from 0, and null behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn oplink_sim_fault_name(number: usize) -> *const c_char {
    Fault::ALL.get(number).map_or(ptr::null(), |fault| fault.c_name().as_ptr())
}

/// Reads the counters of a device as far as the `struct_size` that the caller set reaches. Returns 0, and -1 where
/// there can be no such device.
///
/// # Safety
/// `counters` is null or starts with its size in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oplink_sim_counters(device: c_int, counters: *mut SimCounters) -> c_int {
    let number = usize::try_from(device).ok().filter(|number| *number < MOST_DEVICES);
    let (Some(number), false) = (number, counters.is_null()) else { return -1 };
    let read = COUNTERS[number].read();
    // SAFETY: the caller's contract: so many bytes may be written, and the size is behind them.
    unsafe {
        let bytes = counters.cast::<usize>().read().min(size_of::<SimCounters>());
        ptr::copy_nonoverlapping((&raw const read).cast::<u8>(), counters.cast::<u8>(), bytes);
    }
    0
}
