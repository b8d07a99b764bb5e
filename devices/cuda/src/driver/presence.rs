//! Whether there is a driver, and how many GPUs it has.

use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{DriverError, result};
use oplink_api::{Code, Error, ErrorKind, Result};

use super::errors;

/// The oldest interface that has every function which is called: CUDA 12.8, as the driver counts.
const LEAST_VERSION: i32 = 12_080;
/// The file of the driver's library.
pub const LIBRARY: &str = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };
/// What errors call the driver.
const DRIVER: &str = "the NVIDIA driver";

/// Whether the driver's library is on this machine.
pub fn is_present() -> bool {
    // SAFETY: opens the library by name and closes it; its initialisers are those of a driver.
    unsafe { sys::is_culib_present() }
}

/// GPUs of the machine; 0 where it has no driver or no GPU.
///
/// # Errors
/// There is a driver, but it is too old or does not start; the message says what to do.
pub fn count() -> Result<usize> {
    if !is_present() {
        return Ok(0);
    }
    check_version(version()?)?;
    match result::init() {
        Ok(()) => {}
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => return Ok(0),
        Err(error) => return Err(errors::error(DRIVER, "starting", error)),
    }
    let count = result::device::get_count().map_err(|error| errors::error(DRIVER, "counting GPUs", error))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The newest CUDA that the driver serves.
fn version() -> Result<i32> {
    let mut version = 0;
    // SAFETY: the folder's contract; may be called before the driver is started.
    let asked = unsafe { sys::cuDriverGetVersion(&raw mut version) }.result();
    asked.map_err(|error| errors::error(DRIVER, "asking for its version", error))?;
    Ok(version)
}

fn check_version(version: i32) -> Result<()> {
    if version >= LEAST_VERSION {
        return Ok(());
    }
    let text = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
    let message = format!(
        "the NVIDIA driver serves CUDA {}, oplink needs {}: install driver 570 or newer",
        text(version),
        text(LEAST_VERSION)
    );
    Err(Error::new(Code::FailedPrecondition, ErrorKind::Device, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_drivers_are_refused_with_what_to_install() {
        let error = check_version(12_020).expect_err("too old");
        assert!(error.message().contains("serves CUDA 12.2, oplink needs 12.8: install driver 570"), "{error}");
        assert!(check_version(LEAST_VERSION).is_ok() && check_version(13_000).is_ok());
    }
}
