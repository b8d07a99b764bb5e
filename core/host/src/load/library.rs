//! A library in memory. It is never unmapped.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;

use oplink_api::{Error, Result};

use super::refusal;

/// What a plugin's ops and kernels are registered by.
pub(super) const INIT_KERNEL: &CStr = c"TF_InitKernel";
/// Functions by which hosts start a plugin.
const ENTRY_POINTS: [&CStr; 5] =
    [INIT_KERNEL, oplink_abi::INIT_PLUGIN_SYMBOL, c"TF_InitGraph", c"TF_InitProfiler", oplink_abi::PLUGIN_INFO_SYMBOL];

pub(super) struct Library(NonNull<c_void>);

impl Library {
    /// Maps a library; its initialisers run, and each of its symbols is resolved.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| Error::invalid_argument(e.to_string()))?;
        // SAFETY: a terminated string. Loading a plugin runs its code: whoever loads one vouches for it.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        NonNull::new(handle).map(Self).ok_or_else(|| refusal::not_mapped(path, &last_error()))
    }

    /// The address of a symbol.
    pub(super) fn symbol(&self, name: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: a mapped library, a terminated string.
        NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) })
    }

    /// Calls `TF_InitKernel` where the library has it.
    pub(super) fn initialize(&self) {
        if let Some(init) = self.symbol(INIT_KERNEL) {
            // SAFETY: by this name plugins export a function without arguments and results.
            let init = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(init.as_ptr()) };
            // SAFETY: the ABI has hosts call it once, after the library was mapped.
            unsafe { init() }
        }
    }

    /// Names of the entry points that the library has.
    pub(super) fn entry_points(&self) -> Vec<&'static str> {
        let has = |name: &&'static CStr| self.symbol(name).is_some();
        ENTRY_POINTS.into_iter().filter(has).filter_map(|name| name.to_str().ok()).collect()
    }
}

/// Whether the process has a function of this name for plugins.
pub(super) fn host_has(name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: a terminated string.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }.is_null()
}

/// What the dynamic linker said last.
pub(crate) fn last_error() -> String {
    // SAFETY: may be called at any time; the text lives until the thread's next call of the linker.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return "the dynamic linker does not say why".to_owned();
    }
    // SAFETY: not null, terminated.
    unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
}
