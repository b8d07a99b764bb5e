//! Where the host's C functions are found.
#![allow(unsafe_code, reason = "room: the dynamic linker")]

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use crate::host::Host;

/// Libraries that hold the functions where the host's are not visible to everybody.
const HOST_LIBRARIES: &[&CStr] = &[
    c"libtensorflow_framework.so.2",
    c"libtensorflow_cc.so.2",
    c"libtensorflow.so.2",
    c"liboplink.so",
    c"_pywrap_tensorflow_internal.so",
];

/// Why there is no host to register with.
pub(crate) enum NoHost {
    /// Nothing in the process has the functions.
    Absent,
    /// The functions stand in the same program or library as the plugin: it is linked into its host.
    SameObject,
    /// The host lacks these functions.
    Missing(Vec<&'static str>),
}

/// The functions of the host that loaded this library.
pub(crate) fn host() -> Result<Host, NoHost> {
    let first = find(c"TF_RegisterOpDefinition");
    if first.is_null() {
        return Err(NoHost::Absent);
    }
    if object_of(first) == object_of(find as *mut c_void) {
        return Err(NoHost::SameObject);
    }
    // SAFETY: nothing else goes by the names of the C API.
    unsafe { Host::find(find) }.map_err(NoHost::Missing)
}

/// The address of a function: first where this library's own references would be resolved, then in libraries that are
/// loaded but not visible to it. Null where there is none.
pub(crate) fn find(name: &CStr) -> *mut c_void {
    // SAFETY: the name is terminated.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if !found.is_null() {
        return found;
    }
    HOST_LIBRARIES
        .iter()
        .map(|library| find_in(library, name))
        .find(|found| !found.is_null())
        .unwrap_or(ptr::null_mut())
}

fn find_in(library: &CStr, name: &CStr) -> *mut c_void {
    // SAFETY: the names are terminated. With RTLD_NOLOAD nothing is loaded; a library that is there stays, since its
    // host does not unload it.
    unsafe {
        let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if handle.is_null() { ptr::null_mut() } else { libc::dlsym(handle, name.as_ptr()) }
    }
}

/// Where the program or library is mapped that holds this address; null where none does.
fn object_of(address: *mut c_void) -> *mut c_void {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: `info` is filled in where the answer is not 0.
    unsafe {
        if libc::dladdr(address, info.as_mut_ptr()) == 0 { ptr::null_mut() } else { info.assume_init().dli_fbase }
    }
}
