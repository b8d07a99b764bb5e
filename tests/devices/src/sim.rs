//! The simulated accelerator, loaded as a plugin, and the functions by which tests drive it.
#![allow(unsafe_code, reason = "room: the plugin's C functions")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use oplink::{Error, Result, Runtime};

/// The device type.
pub const SIM: &str = "SIM";

const FILE: &str = "liboplink_device_sim.so";

static DRIVEN: RwLock<()> = RwLock::new(());

/// The devices as they are, as long as this is held.
pub fn undisturbed() -> RwLockReadGuard<'static, ()> {
    DRIVEN.read().unwrap_or_else(PoisonError::into_inner)
}

/// Nobody else is at the devices, whose faults and counters are one for the process, as long as this is held.
pub fn alone() -> RwLockWriteGuard<'static, ()> {
    DRIVEN.write().unwrap_or_else(PoisonError::into_inner)
}

/// The plugin that was built with this program: in `deps` beside it, where each build puts it, or beside it.
///
/// # Errors
/// There is none.
pub fn file() -> Result<PathBuf> {
    let program = std::env::current_exe().map_err(|error| Error::internal(error.to_string()))?;
    let folder = program.parent().unwrap_or(&program);
    let found = [folder.join("deps").join(FILE), folder.join(FILE)].into_iter().find(|path| path.exists());
    found.ok_or_else(|| {
        Error::not_found(format!("no {FILE} in {} or its deps: build oplink-device-sim", folder.display()))
    })
}

/// Loads the plugin, once.
///
/// # Errors
/// It is not there, or refused.
pub fn load() -> Result<()> {
    static LOADED: OnceLock<Result<()>> = OnceLock::new();
    LOADED.get_or_init(|| Runtime::load_plugin(file()?).map(drop)).clone()
}

/// Counts of a device's things that live, or of what it did: see `SimCounters` of the plugin, whose order this is.
const COUNTERS: [&str; 21] = [
    "devices_live",
    "allocations_live",
    "bytes_live",
    "allocations",
    "host_allocations_live",
    "streams_live",
    "streams",
    "events_live",
    "events",
    "events_recorded",
    "timers_live",
    "copies_to_host",
    "copies_to_device",
    "copies_in_device",
    "fills",
    "callbacks",
    "kernels",
    "work_pending",
    "work_failed",
    "wrong_uses",
    "synchronizations",
];

/// The functions by which the plugin is driven.
struct Control {
    set_fault: unsafe extern "C" fn(*const c_char, c_int, u64, u64) -> c_int,
    clear_faults: unsafe extern "C" fn(),
    fault_name: unsafe extern "C" fn(usize) -> *const c_char,
    counters: unsafe extern "C" fn(c_int, *mut c_void) -> c_int,
}

fn control() -> &'static Control {
    static CONTROL: OnceLock<Control> = OnceLock::new();
    CONTROL.get_or_init(|| {
        load().expect("the simulated accelerator");
        let path = file().expect("the simulated accelerator");
        let path = CString::new(path.as_os_str().as_encoded_bytes()).expect("a path");
        // SAFETY: the path is terminated; the library is mapped, and stays so.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOLOAD | libc::RTLD_LAZY) };
        assert!(!library.is_null(), "the plugin is not mapped");
        let find = |name: &CStr| {
            // SAFETY: the library is mapped, the name terminated.
            let found = unsafe { libc::dlsym(library, name.as_ptr()) };
            assert!(!found.is_null(), "the plugin lacks {name:?}");
            found
        };
        // SAFETY: by these names the plugin exports functions of these types.
        unsafe {
            Control {
                set_fault: std::mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(*const c_char, c_int, u64, u64) -> c_int,
                >(find(c"oplink_sim_set_fault")),
                clear_faults: std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(find(
                    c"oplink_sim_clear_faults",
                )),
                fault_name: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(usize) -> *const c_char>(find(
                    c"oplink_sim_fault_name",
                )),
                counters: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int, *mut c_void) -> c_int>(find(
                    c"oplink_sim_counters",
                )),
            }
        }
    })
}

/// The names of all faults.
///
/// # Panics
/// The plugin cannot be loaded.
pub fn fault_names() -> Vec<&'static str> {
    let name = |number| {
        // SAFETY: the function takes any number; its texts are terminated and live as long as the plugin.
        let name = unsafe { (control().fault_name)(number) };
        // SAFETY: the name is not null, so it is a terminated text that lives as long as the plugin.
        (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_str().expect("a name"))
    };
    (0..).map_while(name).collect()
}

/// Plans a fault on the first device: after `skip` occasions it strikes at the next `times`, 0 for all.
///
/// # Panics
/// No fault has the name.
pub fn set_fault(name: &str, skip: u64, times: u64) {
    let text = CString::new(name).expect("a name");
    // SAFETY: the name is terminated.
    let result = unsafe { (control().set_fault)(text.as_ptr(), 0, skip, times) };
    assert_eq!(result, 0, "no fault {name}");
}

/// Ends all faults.
pub fn clear_faults() {
    // SAFETY: the function takes nothing.
    unsafe { (control().clear_faults)() }
}

/// The counters of a device with their names.
///
/// # Panics
/// There is no such device, or the plugin has other counters.
pub fn counters(device: i32) -> Vec<(&'static str, u64)> {
    let mut read = [0u64; COUNTERS.len() + 1];
    read[0] = size_of_val(&read) as u64;
    // SAFETY: the first element says how many bytes may be written.
    let result = unsafe { (control().counters)(device, read.as_mut_ptr().cast()) };
    assert_eq!((result, read[0]), (0, size_of_val(&read) as u64), "the plugin has other counters");
    COUNTERS.iter().copied().zip(read[1..].iter().copied()).collect()
}
