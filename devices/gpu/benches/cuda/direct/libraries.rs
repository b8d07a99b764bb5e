//! Which of NVIDIA's libraries the loader finds, and of which versions.
#![allow(unsafe_code, reason = "room: libraries are asked for their versions")]

use cudarc::{cublaslt, driver, nvrtc};

/// Names of libraries, each with its version or what is missing without it. There is a driver.
pub(crate) fn found() -> [(&'static str, String); 3] {
    [("driver", driver_version()), ("NVRTC", compiler_version()), ("cuBLASLt", products_version())]
}

fn driver_version() -> String {
    let mut version = 0;
    // SAFETY: there is a driver; the number is writable.
    match unsafe { driver::sys::cuDriverGetVersion(&raw mut version) }.result() {
        Ok(()) => format!("serves CUDA {}.{}", version / 1000, version % 1000 / 10),
        Err(error) => format!("tells no version: {error:?}"),
    }
}

fn compiler_version() -> String {
    // SAFETY: opens the library by name and closes it; its initialisers are those of a compiler.
    if !unsafe { nvrtc::sys::is_culib_present() } {
        return "not found: no kernel can be compiled, and only those on the disk run".to_owned();
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the library was found; both numbers are writable.
    match unsafe { nvrtc::sys::nvrtcVersion(&raw mut major, &raw mut minor) }.result() {
        Ok(()) => format!("{major}.{minor}"),
        Err(error) => format!("tells no version: {error:?}"),
    }
}

fn products_version() -> String {
    // SAFETY: opens the library by name and closes it; its initialisers are those of cuBLASLt.
    if !unsafe { cublaslt::sys::is_culib_present() } {
        return "not found: matrices are multiplied by oplink's own programs".to_owned();
    }
    // SAFETY: the library was found.
    let version = unsafe { cublaslt::sys::cublasLtGetVersion() };
    format!("{}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}
