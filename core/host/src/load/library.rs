//! A library in memory. It is never unmapped.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::error::Error as _;
#[cfg(target_env = "gnu")]
use std::ffi::c_char;
use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::mem::ManuallyDrop;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::ptr::{self, NonNull};

use libc::RTLD_NOLOAD;
use libloading::os::unix::{Library as Mapped, RTLD_LAZY, RTLD_LOCAL, RTLD_NOW, Symbol};
use oplink_api::Result;

use super::refusal;

/// What a plugin's ops and kernels are registered by.
pub(super) const INIT_KERNEL: &CStr = c"TF_InitKernel";
/// Functions by which hosts start a plugin.
const ENTRY_POINTS: [&CStr; 6] = [
    INIT_KERNEL,
    oplink_abi::INIT_PLUGIN_SYMBOL,
    c"TF_InitGraph",
    c"TF_InitProfiler",
    oplink_abi::PLUGIN_INFO_SYMBOL,
    oplink_abi::PLUGIN_GRADIENTS_SYMBOL,
];
/// Every symbol is resolved at once, and none is offered to other libraries.
const FLAGS: c_int = RTLD_NOW | RTLD_LOCAL;

/// The first fields of the dynamic linker's record of a library.
#[cfg(target_env = "gnu")]
#[repr(C)]
struct LinkMap {
    _address: usize,
    name: *const c_char,
}

/// A library that was mapped.
pub(crate) struct Library(ManuallyDrop<Mapped>);

impl Library {
    /// Maps the library of a plugin; its initialisers run.
    ///
    /// # Errors
    /// The dynamic linker refuses it; the error is a plugin's refusal.
    pub(super) fn open(path: &Path) -> Result<Self> {
        // SAFETY: loading a plugin runs its code: whoever loads one vouches for it.
        unsafe { Self::map(path.as_os_str()) }.map_err(|said| refusal::not_mapped(path, &said))
    }

    /// Maps a library.
    ///
    /// # Errors
    /// What the dynamic linker says.
    ///
    /// # Safety
    /// The caller vouches for the library's initialisers, which run.
    pub(crate) unsafe fn map(name: &OsStr) -> Result<Self, String> {
        // SAFETY: the caller vouches for the initialisers; finalisers do not run, since the library stays mapped.
        let mapped = unsafe { Mapped::open(Some(name), FLAGS) };
        mapped.map(Self::kept).map_err(|error| what_linker_said(&error))
    }

    /// The file of a library of this name that the process has loaded.
    pub(super) fn loaded(name: &OsStr) -> Option<PathBuf> {
        // SAFETY: nothing is loaded, so no initialiser runs.
        let mapped = unsafe { Mapped::open(Some(name), RTLD_LAZY | RTLD_NOLOAD) };
        mapped.map(Self::kept).ok()?.file()
    }

    /// The file that the library was mapped from, where the dynamic linker tells.
    #[cfg(not(target_env = "gnu"))]
    pub(super) fn file(&self) -> Option<PathBuf> {
        None
    }

    /// The file that the library was mapped from, where the dynamic linker tells.
    #[cfg(target_env = "gnu")]
    pub(super) fn file(&self) -> Option<PathBuf> {
        let mut map: *const LinkMap = ptr::null();
        // SAFETY: the handle is the dynamic linker's; `map` takes the address that this request gives. The library
        // stays mapped, so its handle stays good although it is taken twice.
        let known = unsafe {
            let handle = ptr::read(&raw const *self.0).into_raw();
            libc::dlinfo(handle, libc::RTLD_DI_LINKMAP, (&raw mut map).cast::<c_void>()) == 0 && !map.is_null()
        };
        if !known {
            return None;
        }
        // SAFETY: the dynamic linker's record of a library that stays mapped; its name is terminated.
        let name = unsafe { CStr::from_ptr((*map).name) };
        std::fs::canonicalize(OsStr::from_bytes(name.to_bytes())).ok()
    }

    /// The library of a handle of [`Library::into_handle`].
    ///
    /// # Safety
    /// The handle is one of [`Library::into_handle`].
    pub(crate) unsafe fn from_handle(handle: NonNull<c_void>) -> Self {
        // SAFETY: the handle is of the dynamic linker, and its library is never unmapped.
        Self::kept(unsafe { Mapped::from_raw(handle.as_ptr()) })
    }

    /// The dynamic linker's handle of the library.
    pub(crate) fn into_handle(self) -> *mut c_void {
        ManuallyDrop::into_inner(self.0).into_raw()
    }

    fn kept(mapped: Mapped) -> Self {
        Self(ManuallyDrop::new(mapped))
    }

    /// The address of a symbol.
    pub(super) fn symbol(&self, name: &CStr) -> Option<NonNull<c_void>> {
        self.find(name).ok().and_then(NonNull::new)
    }

    /// The address of a symbol.
    ///
    /// # Errors
    /// What the dynamic linker says.
    pub(crate) fn find(&self, name: &CStr) -> Result<*mut c_void, String> {
        // SAFETY: the type is that of a plain address, which any symbol has; nothing is read or called through it here.
        let symbol: Result<Symbol<*mut c_void>, _> = unsafe { self.0.get(name) };
        match symbol.map(Symbol::into_raw) {
            Ok(address) if address.is_null() => Err(format!("the symbol `{}` has no address", name.to_string_lossy())),
            Ok(address) => Ok(address),
            Err(error) => Err(what_linker_said(&error)),
        }
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

/// Whether the process has a function of this name for plugins: where this crate's own references are resolved. That is
/// also the library that this crate is in, which `libloading`'s handle of the program does not see where the library
/// was opened without making its symbols global.
pub(super) fn host_has(name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: a terminated string; the address is compared with null and not used.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }.is_null()
}

/// The message of the dynamic linker.
fn what_linker_said(error: &libloading::Error) -> String {
    let said = error.source().map(ToString::to_string);
    said.unwrap_or_else(|| format!("{error}: the dynamic linker does not say why"))
}
